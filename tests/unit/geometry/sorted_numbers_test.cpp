// SPDX-License-Identifier: Apache-2.0
#include "geometry/sorted_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace pidforest::geometry {
namespace {

TEST(SortedNumbers, AreSearchedAsByThePlainSearch) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> sorted;
  for (int size = 0; size <= 40; ++size) {
    for (int twice = -3; twice <= 50; ++twice) {
      const double x = twice == -3 ? -infinity : twice == 50 ? infinity : twice / 2.0;
      EXPECT_EQ(n_below(sorted, x), static_cast<std::size_t>(std::ranges::lower_bound(sorted, x) - sorted.begin()))
          << x << " among " << size;
    }
    sorted.push_back(size < 30 ? size / 3 * 1.5 : infinity);  // has equal numbers, and ends as cuts are padded
  }
}

}  // namespace
}  // namespace pidforest::geometry
