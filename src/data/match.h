// SPDX-License-Identifier: Apache-2.0
// Which columns of a table a schema speaks of.
#pragma once

#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::data {

/// The table's columns in the order of the schema's, found by name; nullptr for the ignored ones. Throws InvalidInput
/// for one that the table lacks; `why` says who asks for it.
std::vector<const Column*> columns_of(const Schema& schema, const Table& table, std::string_view why);

}  // namespace pidforest::data
