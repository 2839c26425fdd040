// SPDX-License-Identifier: Apache-2.0
#include "forest/random.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "each_target.h"

namespace pidforest::forest {
namespace {

using Block = std::array<std::uint32_t, 4>;

TEST(Philox, gives_the_known_answers_of_its_authors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(UniformPair, is_uniform_and_differs_from_place_to_place) {
  double sum = 0;
  std::set<double> seen;
  constexpr std::uint32_t n = 10000;
  for (std::uint32_t axis = 0; axis < n; ++axis) {
    const auto [first, second] = uniform_pair(3, {.purpose = Purpose::cut, .axis = axis});
    EXPECT_GE(first, 0);
    EXPECT_LT(first, 1);
    EXPECT_GT(second, 0);
    EXPECT_LT(second, 1);
    sum += first + second;
    seen.insert(first);
  }
  EXPECT_EQ(seen.size(), n);
  EXPECT_NEAR(sum / (2 * n), 0.5, 0.01);
  EXPECT_NE(uniform_pair(3, {.purpose = Purpose::cut}).first, uniform_pair(4, {.purpose = Purpose::cut}).first);
}

TEST(UniformPairs, are_the_pairs_of_the_axes_with_every_instruction_set) {
  Place place{.purpose = Purpose::cut, .tree = 7, .node = 4000000000U, .axis = 0, .round = 2};
  for_each_target([&] {
    std::vector<double> firsts(40);
    std::vector<double> seconds(40);
    uniform_pairs(123456789, place, firsts, seconds);
    for (std::uint32_t axis = 0; axis < 40; ++axis) {
      place.axis = axis;
      EXPECT_EQ(firsts[axis], uniform_pair(123456789, place).first);
      EXPECT_EQ(seconds[axis], uniform_pair(123456789, place).second);
    }
    place.axis = 24;
    uniform_pairs(123456789, place, std::span(firsts).first(8), std::span(seconds).first(8));
    EXPECT_TRUE(std::equal(firsts.begin(), firsts.begin() + 8, firsts.begin() + 24));
    EXPECT_TRUE(std::equal(seconds.begin(), seconds.begin() + 8, seconds.begin() + 24));
    place.axis = 0;
  });
}

RC_GTEST_PROP(Sample, holds_m_different_rows_in_increasing_order, ()) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 1000));
  const auto m = static_cast<std::size_t>(*rc::gen::inRange(1, 1000));
  const auto sample = sample_without_replacement(n, m, 1, {.purpose = Purpose::sample_rows});
  RC_ASSERT(sample.size() == std::min(n, m));
  RC_ASSERT(std::adjacent_find(sample.begin(), sample.end(), std::greater_equal<>()) == sample.end());
  RC_ASSERT(sample.back() < n);
}

TEST(Sample, takes_every_row_equally_often) {
  std::vector<int> taken(20, 0);
  for (std::uint32_t tree = 0; tree < 20000; ++tree)
    for (const std::size_t row : sample_without_replacement(20, 5, 0, {.purpose = Purpose::sample_rows, .tree = tree}))
      ++taken[row];
  for (const int times : taken) EXPECT_NEAR(times, 5000, 250);  // four standard deviations
}

TEST(Sample, of_a_few_among_very_many_rows_needs_no_memory_for_the_many) {
  const auto sample = sample_without_replacement(std::size_t{1} << 60U, 100, 0, {.purpose = Purpose::sample_rows});
  EXPECT_EQ(sample.size(), 100U);
  EXPECT_GT(sample.back(), std::size_t{1} << 59U);
}

}  // namespace
}  // namespace pidforest::forest
