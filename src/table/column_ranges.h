// SPDX-License-Identifier: Apache-2.0
// Facts about each column that a fit needs before it begins: the range, and the number of missing values.
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

  /// Whether the column has two values, or one and missing ones.
  [[nodiscard]] bool varies() const { return least < largest || n_missing > 0; }
  /// Merges the range of other rows of the same column.
  void merge(const ColumnRange& other);
};

/// Widens `ranges`, one per column, by the rows from `begin` up to but not including `end`.
void widen_ranges(const Table& table, std::size_t begin, std::size_t end, std::vector<ColumnRange>& ranges);

/// Adds the number of missing values of each column in the rows from `begin` up to but not including `end`. All columns
/// are numbers.
void add_missing(const Table& table, std::size_t begin, std::size_t end, std::vector<std::size_t>& n_missing);

/// Throws InvalidInput naming the row of the first infinite value. The column must contain one.
[[noreturn]] void refuse_infinite(const Table& table, std::size_t column);

/// The distinct values next to the two ends of a column's range; equal to the ends if there are no such values.
struct NextValues {
  double after_least;
  double before_largest;
};
/// The initial value, before any rows are added.
NextValues next_values(const ColumnRange& range);
/// Adds the rows of a table.
void widen_next_values(const Table& table, std::size_t column, const ColumnRange& range, NextValues& next);
/// Adds the values next to the range of some rows to those of other rows of the column, whose range is `all`.
void merge_next_values(const ColumnRange& range, const NextValues& next, const ColumnRange& all,
                       NextValues& next_of_all);

}  // namespace pidforest::table
