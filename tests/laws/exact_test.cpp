// SPDX-License-Identifier: Apache-2.0
// Law 10: in the Boolean cube, the largest sparsity of a cube that contains a row is 2^(d - pidLength).
#include "pidforest/exact.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "random_table.h"

namespace pidforest {
namespace {

/// Returns the number of rows that agree with `row` on the chosen columns.
std::size_t n_equal(OwnedTable& table, std::size_t row, std::uint32_t chosen) {
  std::size_t n = 0;
  for (std::size_t other = 0; other < table.n_rows(); ++other) {
    bool is_equal = true;
    for (std::size_t j = 0; j < table.n_columns(); ++j)
      is_equal = is_equal && ((chosen >> j & 1U) == 0 || table.at(row, j) == table.at(other, j));
    n += is_equal ? 1 : 0;
  }
  return n;
}

RC_GTEST_PROP(Laws, LargestSparsityOfTheBooleanCubeIsTwoToTheDimensionsLessPidLength, ()) {
  const auto d = *rc::gen::inRange<std::size_t>(1, 9);
  const auto n_rows = *rc::gen::inRange<std::size_t>(1, 60);
  OwnedTable table =
      random_table(std::vector<ColumnSort>(d, ColumnSort::boolean), n_rows, *rc::gen::arbitrary<std::uint32_t>());
  const auto scores = exact_scores(table.table(), table.schema(), {}).rows;
  for (std::size_t row = 0; row < n_rows; ++row) {
    double largest_sparsity = 0;  // of all cubes; the volume is the number of points
    double least_length = static_cast<double>(d) + 64;
    for (std::uint32_t chosen = 0; chosen < 1U << d; ++chosen) {
      const auto n = static_cast<double>(n_equal(table, row, chosen));
      const int size = std::popcount(chosen);
      largest_sparsity = std::max(largest_sparsity, std::ldexp(1.0, static_cast<int>(d) - size) / n);
      least_length = std::min(least_length, size + std::log2(n));
    }
    const double pid_length = std::log2(static_cast<double>(n_rows)) - scores[row].bits;
    RC_ASSERT(std::abs(pid_length - least_length) < 1e-9);
    RC_ASSERT(std::abs(std::log2(largest_sparsity) - (static_cast<double>(d) - pid_length)) < 1e-9);
  }
}

}  // namespace
}  // namespace pidforest
