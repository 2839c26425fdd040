// SPDX-License-Identifier: Apache-2.0
#include "table/column_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pidforest/error.h"

namespace pidforest::table {

void ColumnRange::merge(const ColumnRange& other) {
  least = std::min(least, other.least);
  largest = std::max(largest, other.largest);
  n_missing += other.n_missing;
}

void widen_ranges(const Table& table, std::size_t begin, std::size_t end, std::vector<ColumnRange>& ranges) {
  // Eight columns side by side: the comparisons are independent of each other, and each row's cache lines are read
  // whole.
  constexpr std::size_t width = 8;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (std::size_t first = 0; first < table.n_columns(); first += width) {
    const std::size_t n = std::min(width, table.n_columns() - first);
    std::array<const double*, width> next{};
    std::array<std::ptrdiff_t, width> stride{};
    for (std::size_t j = 0; j < width; ++j) {
      const Column& column = table.columns()[first + std::min(j, n - 1)];
      next[j] = column.first + static_cast<std::ptrdiff_t>(begin) * column.stride;
      stride[j] = column.stride;
    }
    std::array<double, width> least{};
    std::array<double, width> largest{};
    std::array<std::size_t, width> n_missing{};
    least.fill(infinity);
    largest.fill(-infinity);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        const double x = *next[j];
        next[j] += stride[j];
        least[j] = x < least[j] ? x : least[j];
        largest[j] = x > largest[j] ? x : largest[j];
        n_missing[j] += x != x ? 1 : 0;
      }
    for (std::size_t j = 0; j < n; ++j) ranges[first + j].merge({least[j], largest[j], n_missing[j]});
  }
}

void refuse_infinite(const Table& table, std::size_t column) {
  std::size_t row = 0;
  while (!std::isinf(table.columns()[column].number(row))) ++row;
  throw InvalidInput(fmt::format("row {}, column '{}': must be finite or missing; got {}.",
                                 table.columns()[column].first_row + row + 1, table.columns()[column].name,
                                 table.columns()[column].number(row)));
}

NextValues next_values(const ColumnRange& range) { return {range.largest, range.least}; }

void widen_next_values(const Table& table, std::size_t column, const ColumnRange& range, NextValues& next) {
  for (std::size_t i = 0; i < table.n_rows(); ++i) {
    const double x = table.columns()[column].number(i);
    if (x > range.least) next.after_least = std::min(next.after_least, x);
    if (x < range.largest) next.before_largest = std::max(next.before_largest, x);
  }
}

}  // namespace pidforest::table
