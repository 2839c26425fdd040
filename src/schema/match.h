// SPDX-License-Identifier: Apache-2.0
// Which columns of a table a schema speaks of.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::schema {

/// The table's columns in the order of the schema's, found by name; nullptr for the ignored ones. Throws InvalidInput
/// for one that the table lacks; `why` says who asks for it.
std::vector<const Column*> columns_of(const Schema& schema, const Table& table, std::string_view why);

/// Which of the columns has that name. Throws InvalidInput if none has: "the column of times must be a column of the
/// table; there is no 'when'."; `role` is what it should be.
std::size_t place_of(const Table& columns, std::string_view name, std::string_view role);

}  // namespace pidforest::schema
