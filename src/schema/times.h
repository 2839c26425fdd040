// SPDX-License-Identifier: Apache-2.0
// How the times of a column are written, for code that puts events in order; TimeReader reads them.
#pragma once

#include <string>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/time_column.h"

namespace pidforest::schema {

/// Infers how the times of a column are written from all of its values: their zone, and the order of day and month.
/// Throws InvalidInput for a column that is missing from the table or holds numbers, whose unit is unknown.
ColumnSchema infer_times(const Batches& table, const std::string& column);

}  // namespace pidforest::schema
