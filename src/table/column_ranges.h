// SPDX-License-Identifier: Apache-2.0
// What a fit needs to know of each column before it begins: its range, and how much is missing.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "pidforest/table.h"

namespace pidforest::table {

struct ColumnRange {
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();
  std::size_t n_missing = 0;

  /// Takes in what was found in other rows of the same column.
  void merge(const ColumnRange& other);
};

/// Takes the rows from `begin` up to but not including `end` into `ranges`, one per column.
void widen_ranges(const Table& table, std::size_t begin, std::size_t end, std::vector<ColumnRange>& ranges);

/// Throws InvalidInput that names the first infinite value of the column by row; for columns that have one.
[[noreturn]] void refuse_infinite(const Table& table, std::size_t column);

/// The distinct values next to the ends of a column's range; the ends themselves where there are none.
struct NextValues {
  double after_least;
  double before_largest;
};
/// What there is before other rows are taken in.
NextValues next_values(const ColumnRange& range);
/// Takes in the rows of a table.
void widen_next_values(const Table& table, std::size_t column, const ColumnRange& range, NextValues& next);

}  // namespace pidforest::table
