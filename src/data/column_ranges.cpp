// SPDX-License-Identifier: Apache-2.0
#include "data/column_ranges.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "pidforest/error.h"

namespace pidforest::data {

ColumnRange range_of(const Column& column, std::size_t n_rows) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ColumnRange range{infinity, infinity, -infinity, -infinity, 0};
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double x = column.first[static_cast<std::ptrdiff_t>(i) * column.stride];
    if (std::isinf(x))
      throw InvalidInput(fmt::format("row {}, column '{}': a fit needs finite numbers or missing ones; got {}.", i + 1, column.name, x));
    if (std::isnan(x)) {
      ++range.n_missing;
      continue;
    }
    if (x < range.least) {
      range.second_least = range.least;
      range.least = x;
    } else if (x < range.second_least && x > range.least) {
      range.second_least = x;
    }
    if (x > range.largest) {
      range.second_largest = range.largest;
      range.largest = x;
    } else if (x > range.second_largest && x < range.largest) {
      range.second_largest = x;
    }
  }
  if (std::isinf(range.second_least)) range.second_least = range.least;
  if (std::isinf(range.second_largest)) range.second_largest = range.largest;
  return range;
}

}  // namespace pidforest::data
