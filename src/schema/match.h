// SPDX-License-Identifier: Apache-2.0
// Matches the columns of a table with those of a schema.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::schema {

/// Returns the table's columns in the order of the schema's, matched by name; nullptr for ignored ones. Throws
/// InvalidInput for a missing column; `why` explains in the message why it is needed.
std::vector<const Column*> columns_of(const Schema& schema, const Table& table, std::string_view why);

/// Returns the index of the column with that name. Throws InvalidInput if there is none: "the time column must be in
/// the table; there is no column 'when'."; `role` is the first part of the message.
std::size_t place_of(const Table& columns, std::string_view name, std::string_view role);

}  // namespace pidforest::schema
