// SPDX-License-Identifier: Apache-2.0
#include "data/column_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pidforest/error.h"

namespace pidforest::data {

namespace {

double value(const Column& column, std::size_t row) {
  return column.first[static_cast<std::ptrdiff_t>(row) * column.stride];
}

}  // namespace

void ColumnRange::merge(const ColumnRange& other) {
  least = std::min(least, other.least);
  largest = std::max(largest, other.largest);
  n_missing += other.n_missing;
}

void widen_ranges(const Table& table, std::size_t begin, std::size_t end, std::vector<ColumnRange>& ranges) {
  for (std::size_t j = 0; j < table.n_columns(); ++j) {
    const Column& column = table.columns()[j];
    ColumnRange range;
    for (std::size_t i = begin; i < end; ++i) {
      const double x = value(column, i);
      range.least = x < range.least ? x : range.least;
      range.largest = x > range.largest ? x : range.largest;
      range.n_missing += std::isnan(x) ? 1 : 0;
    }
    ranges[j].merge(range);
  }
}

void refuse_infinite(const Table& table, std::size_t column) {
  std::size_t row = 0;
  while (!std::isinf(value(table.columns()[column], row))) ++row;
  throw InvalidInput(fmt::format("row {}, column '{}': a fit needs finite numbers or missing ones; got {}.", row + 1,
                                 table.columns()[column].name, value(table.columns()[column], row)));
}

NextValues next_values(const Table& table, std::size_t column, const ColumnRange& range) {
  NextValues next{range.largest, range.least};
  for (std::size_t i = 0; i < table.n_rows(); ++i) {
    const double x = value(table.columns()[column], i);
    if (x > range.least) next.after_least = std::min(next.after_least, x);
    if (x < range.largest) next.before_largest = std::max(next.before_largest, x);
  }
  return next;
}

}  // namespace pidforest::data
