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
  least = std::min(least, other.least);
  largest = std::max(largest, other.largest);
  n_missing += other.n_missing;
}

namespace {

constexpr std::size_t width = 8;

/// Eight columns side by side: the comparisons are independent of each other, and each row's cache lines are read
/// whole.
struct SideBySide {
  std::array<double, width> least;
  std::array<double, width> largest;
  std::array<std::size_t, width> n_missing{};

  SideBySide() {
    least.fill(std::numeric_limits<double>::infinity());
    largest.fill(-std::numeric_limits<double>::infinity());
  }

  void add(std::size_t j, double x) {
    least[j] = x < least[j] ? x : least[j];
    largest[j] = x > largest[j] ? x : largest[j];
    n_missing[j] += x != x ? 1 : 0;
  }
};

/// The rows of columns whose values are adjacent in every row.
void add_adjacent(const double* row, std::ptrdiff_t stride, std::size_t n_rows, SideBySide& columns) {
  SideBySide own;  // a local variable, so that the compiler keeps it in registers
  for (std::size_t i = 0; i < n_rows; ++i, row += stride)
    for (std::size_t j = 0; j < width; ++j) own.add(j, row[j]);
  columns = own;
}

void add_any(std::span<const Column> own, std::size_t begin, std::size_t end, SideBySide& columns) {
  std::array<const double*, width> next{};
  std::array<std::ptrdiff_t, width> stride{};
  for (std::size_t j = 0; j < width; ++j) {
    const Column& column = own[std::min(j, own.size() - 1)];
    next[j] = column.first + static_cast<std::ptrdiff_t>(begin) * column.stride;
    stride[j] = column.stride;
  }
  for (std::size_t i = begin; i < end; ++i)
    for (std::size_t j = 0; j < width; ++j) {
      columns.add(j, *next[j]);
      next[j] += stride[j];
    }
}

bool are_adjacent(std::span<const Column> own) {
  for (std::size_t j = 1; j < own.size(); ++j)
    if (own[j].first != own[0].first + j || own[j].stride != own[0].stride) return false;
  return own.size() == width;
}

}  // namespace

void widen_ranges(const Table& table, std::size_t begin, std::size_t end, std::vector<ColumnRange>& ranges) {
  for (std::size_t first = 0; first < table.n_columns(); first += width) {
    const std::size_t n = std::min(width, table.n_columns() - first);
    const auto own = std::span(table.columns()).subspan(first, n);
    SideBySide columns;
    if (are_adjacent(own))
      add_adjacent(own[0].first + static_cast<std::ptrdiff_t>(begin) * own[0].stride, own[0].stride, end - begin,
                   columns);
    else
      add_any(own, begin, end, columns);
    for (std::size_t j = 0; j < n; ++j)
      ranges[first + j].merge({columns.least[j], columns.largest[j], columns.n_missing[j]});
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
