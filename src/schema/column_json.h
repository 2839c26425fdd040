// SPDX-License-Identifier: Apache-2.0
// A column of a schema document as JSON.
#pragma once

#include <string>

#include "pidforest/schema.h"
#include "schema/schema_words.h"
#include "values/json.h"

namespace pidforest::schema {

/// Throws InvalidInput that names the place, the allowed values and the value found.
ColumnSchema read_column(const values::Json& json, ColumnPlace place);

/// The JSON object of a column, indented as in the list of a document.
std::string print_column(const ColumnSchema& column);

/// Whether JSON describes a column: it has the keys that every column must have.
bool describes_column(const values::Json& json);

}  // namespace pidforest::schema
