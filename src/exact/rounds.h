// SPDX-License-Identifier: Apache-2.0
// The search for many rows in rounds. Each round allows more work, so that all rows have good answers early.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exact/cell_table.h"
#include "exact/search.h"
#include "pidforest/exact.h"
#include "pidforest/options.h"

namespace pidforest::exact {

/// Returns one cube per row. Throws InvalidInput for a table that is too large, and Cancelled.
std::vector<FoundCube> search_rows(const CellTable& table, std::span<const std::size_t> rows,
                                   const ExactOptions& options, const Run& run);

}  // namespace pidforest::exact
