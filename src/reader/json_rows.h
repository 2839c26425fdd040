// SPDX-License-Identifier: Apache-2.0
// Rows as JSON objects, one per line, with the columns as keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reader/column_choice.h"
#include "reader/field.h"
#include "reader/row_format.h"

namespace pidforest::reader {

/// `items`: the lines were made of a JSON array by JsonItems.
enum class JsonForm : std::uint8_t { lines, items };

/// `choice` says which keys that are not columns are allowed.
RowFormat json_rows(const ColumnChoice& choice, const FieldReader& fields, JsonForm form, bool skip_bad_rows);

/// Returns the keys of all lines in order of first appearance; of a bad line the keys before its mistake, or none if
/// such lines are skipped. Throws InvalidInput if there are too many.
std::vector<std::string> keys_of(std::string_view text, JsonForm form, bool skip_bad_rows);

}  // namespace pidforest::reader
