// SPDX-License-Identifier: Apache-2.0
#include "table/column_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "pidforest/error.h"

namespace pidforest::table {

void ColumnRange::merge(const ColumnRange& other) {
  // Turns -0 into 0: which of the two comes first must not matter.
  least = std::min(least, other.least) + 0.0;
  largest = std::max(largest, other.largest) + 0.0;
  n_missing += other.n_missing;
}

namespace {

/// The ranges of some columns side by side, as arrays of numbers of one size, which fill vectors.
template <std::size_t width>
struct SideBySide {
  std::array<double, width> least;
  std::array<double, width> largest;
  std::array<double, width> n_missing{};

  SideBySide() {
    least.fill(std::numeric_limits<double>::infinity());
    largest.fill(-std::numeric_limits<double>::infinity());
  }

  void add(std::size_t j, double x) {
    least[j] = x < least[j] ? x : least[j];
    largest[j] = x > largest[j] ? x : largest[j];
    n_missing[j] += x != x ? 1 : 0;
  }

  /// Adds the first n columns of a row.
  void add_row(const double* row, std::size_t n) {
    double* __restrict low = least.data();
    double* __restrict high = largest.data();
    double* __restrict missing = n_missing.data();
    for (std::size_t j = 0; j < n; ++j) {
      low[j] = row[j] < low[j] ? row[j] : low[j];
      high[j] = row[j] > high[j] ? row[j] : high[j];
      missing[j] += row[j] != row[j] ? 1.0 : 0.0;
    }
  }

  void merge_into(std::span<ColumnRange> ranges) const {
    for (std::size_t j = 0; j < ranges.size(); ++j)
      ranges[j].merge({least[j], largest[j], static_cast<std::size_t>(n_missing[j])});
  }
};

/// Columns whose values are adjacent in every row: reads memory in order.
void widen_adjacent(std::span<const Column> columns, std::size_t begin, std::size_t end,
                    std::span<ColumnRange> ranges) {
  constexpr std::size_t width = 64;
  for (std::size_t first = 0; first < columns.size(); first += width) {
    const std::size_t n = std::min(width, columns.size() - first);
    SideBySide<width> found;
    const double* row = columns[first].first + static_cast<std::ptrdiff_t>(begin) * columns[first].stride;
    for (std::size_t i = begin; i < end; ++i, row += columns[first].stride) found.add_row(row, n);
    found.merge_into(ranges.subspan(first, n));
  }
}

/// Eight columns at a time: the comparisons are independent of each other, and each row's cache lines are read whole.
void widen_any(std::span<const Column> columns, std::size_t begin, std::size_t end, std::span<ColumnRange> ranges) {
  constexpr std::size_t width = 8;
  for (std::size_t first = 0; first < columns.size(); first += width) {
    const std::size_t n = std::min(width, columns.size() - first);
    std::array<const double*, width> next{};
    std::array<std::ptrdiff_t, width> stride{};
    for (std::size_t j = 0; j < width; ++j) {
      const Column& column = columns[first + std::min(j, n - 1)];
      next[j] = column.first + static_cast<std::ptrdiff_t>(begin) * column.stride;
      stride[j] = column.stride;
    }
    SideBySide<width> found;
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        found.add(j, *next[j]);
        next[j] += stride[j];
      }
    found.merge_into(ranges.subspan(first, n));
  }
}

bool are_adjacent(std::span<const Column> columns) {
  for (std::size_t j = 1; j < columns.size(); ++j)
    if (columns[j].first != columns[0].first + j || columns[j].stride != columns[0].stride) return false;
  return true;
}

}  // namespace

void widen_ranges(const Table& table, std::size_t begin, std::size_t end, std::vector<ColumnRange>& ranges) {
  if (are_adjacent(table.columns()))
    widen_adjacent(table.columns(), begin, end, ranges);
  else
    widen_any(table.columns(), begin, end, ranges);
}

void add_missing(const Table& table, std::size_t begin, std::size_t end, std::vector<std::size_t>& n_missing) {
  const std::vector<Column>& columns = table.columns();
  const bool are_rows_whole = !columns.empty() && are_adjacent(columns);
  std::size_t* const counts = n_missing.data();
  for (std::size_t i = begin; i < end; ++i) {
    const double* row =
        are_rows_whole ? columns[0].first + static_cast<std::ptrdiff_t>(i) * columns[0].stride : nullptr;
    for (std::size_t j = 0; row != nullptr && j < columns.size(); ++j) counts[j] += row[j] != row[j] ? 1 : 0;
    for (std::size_t j = 0; row == nullptr && j < columns.size(); ++j) counts[j] += std::isnan(columns[j].number(i));
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

void merge_next_values(const ColumnRange& range, const NextValues& next, const ColumnRange& all,
                       NextValues& next_of_all) {
  if (range.least > range.largest) return;  // no values
  if (all.least > all.largest) {
    next_of_all = next;
    return;
  }
  ColumnRange both = all;
  both.merge(range);
  NextValues merged = next_values(both);
  for (const double x : {all.least, next_of_all.after_least, range.least, next.after_least})
    if (x > both.least) merged.after_least = std::min(merged.after_least, x);
  for (const double x : {all.largest, next_of_all.before_largest, range.largest, next.before_largest})
    if (x < both.largest) merged.before_largest = std::max(merged.before_largest, x);
  next_of_all = merged;
}

}  // namespace pidforest::table
