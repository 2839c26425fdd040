// SPDX-License-Identifier: Apache-2.0
// What a fit needs to know of each column before it begins: its range, and how much is missing.
#pragma once

#include <cstddef>
#include <vector>

#include "pidforest/table.h"

namespace pidforest::data {

struct ColumnRange {
  double least;
  /// The second least distinct value; the least one if there is no other.
  double second_least;
  double largest;
  double second_largest;
  std::size_t n_missing;
};

/// The range of one column. Throws InvalidInput that names row and column if a value is infinite.
ColumnRange range_of(const Column& column, std::size_t n_rows);

}  // namespace pidforest::data
