// SPDX-License-Identifier: Apache-2.0
#include "geometry/ordered_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "geometry/cube.h"

namespace pidforest::geometry {
namespace {

constexpr double largest_double = std::numeric_limits<double>::max();

std::size_t count_below(const std::vector<double>& values, double cut) {
  return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](double x) { return x < cut; }));
}

double sum(const std::vector<double>& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

TEST(SampledCut, lies_above_the_least_value_and_at_most_at_the_largest) {
  const ValueRange range{0, 1, 3, 0};
  EXPECT_EQ(sampled_cut(range, 0), 1);
  EXPECT_EQ(sampled_cut(range, 0.25), 0.75);
  const ValueRange neighbours{1, std::nextafter(1, 2), 3, 0};
  for (const double share : {0.0, 0.3, 0.9, 1 - 0x1p-53}) EXPECT_GT(sampled_cut(neighbours, share), 1);
}

TEST(SampledCut, makes_the_empty_margins_children_of_their_own) {
  const Split split = split_at({0, 10}, {2, 6, 5, 0}, 3);
  EXPECT_EQ(split.cuts, (std::vector<double>{2, 3, std::nextafter(6, 7)}));
  EXPECT_EQ(split.shares.size(), 4U);
  EXPECT_DOUBLE_EQ(split.shares[0], 0.2);
  EXPECT_DOUBLE_EQ(split.shares[1], 0.1);
  EXPECT_DOUBLE_EQ(split.shares[2], 0.3);
  EXPECT_DOUBLE_EQ(split.shares[3], 0.4);
}

TEST(SampledCut, has_no_margin_where_the_values_reach_the_end) {
  EXPECT_EQ(split_at({0, 10}, {0, 10, 5, 0}, 3).cuts, (std::vector<double>{3}));
}

TEST(SampledCut, of_a_column_that_spans_all_doubles_has_shares_that_add_up) {
  const Interval interval{-largest_double, largest_double};
  const double cut = sampled_cut({-1e308, 1e308, 9, 0}, 0.5);
  EXPECT_NEAR(cut, 0, 1e300);
  const Split split = split_at(interval, {-1e308, 1e308, 9, 0}, cut);
  EXPECT_NEAR(sum(split.shares), 1, 1e-9);
  for (const double share : split.shares) EXPECT_GT(share, 0.1);
}

TEST(SampledCut, of_subnormal_values_has_shares_that_add_up) {
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  const ValueRange range{0, 8 * tiny, 9, 0};
  const Split split = split_at({0, 10 * tiny}, range, sampled_cut(range, 0.5));
  EXPECT_NEAR(sum(split.shares), 1, 1e-9);
}

/// The percentage of columns of `n` values from `draw` that pass the gate.
template <class Draw>
double passing_percentage(std::size_t n, const Draw& draw) {
  std::mt19937_64 random(7);
  const Gate gate(4);
  int passed = 0;
  constexpr int rounds = 20000;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> values(n);
    for (double& x : values) x = draw(random);
    const ValueRange range = range_of(values);
    const double cut = sampled_cut(range, std::generate_canonical<double, 53>(random));
    if (offer_of_cut(range, 0, cut, count_below(values, cut), gate).gain > 0) ++passed;
  }
  return 100.0 * passed / rounds;
}

TEST(Gate, is_passed_by_even_noise_about_five_times_in_a_hundred) {
  const auto uniform = [](auto& random) { return std::generate_canonical<double, 53>(random); };
  for (const std::size_t n : {17, 64, 256}) {
    EXPECT_GT(passing_percentage(n, uniform), 3) << n;
    EXPECT_LT(passing_percentage(n, uniform), 7) << n;
  }
}

TEST(Gate, is_passed_by_nearly_every_cut_through_a_heavy_tail) {
  const auto heavy = [](auto& random) { return std::exp(3 * std::normal_distribution<double>()(random)); };
  EXPECT_GT(passing_percentage(256, heavy), 95);
}

TEST(Gate, asks_more_of_two_questions_than_of_one) {
  EXPECT_NEAR(Gate(4).two, 6.18, 0.01);  // the same significance level with two degrees of freedom
  EXPECT_EQ(Gate(0).two, 0);
}

TEST(Gate, sets_missing_values_apart_where_they_are_the_evidence) {
  // One value in ten is missing overall; here it is one in two, and the values are spread evenly.
  const SampledOffer offer = offer_of_cut({0, 1, 50, 50}, 0.1, 0.5, 25, Gate(4));
  EXPECT_GT(offer.gain, 0);
  EXPECT_FALSE(offer.cuts_values);
  const Split split = split_off_missing({0, 1, 0.1});
  EXPECT_TRUE(split.cuts.empty());
  EXPECT_EQ(split.n_children(), 2U);
  EXPECT_DOUBLE_EQ(split.shares[0] + split.missing_share, 1);
}

TEST(Gate, is_shut_when_missing_values_are_as_common_as_everywhere) {
  EXPECT_EQ(offer_of_cut({0, 1, 90, 10}, 0.1, 0.5, 45, Gate(4)).gain, 0);
}

TEST(OptimalCut, lies_halfway_between_neighbours) {
  const std::vector<double> values{0, 1, 1, 9, 10};
  Cells cells;
  lay_out_cells(values, {0, 10}, cells);
  EXPECT_EQ(cells.size(), 5U);
  EXPECT_DOUBLE_EQ(cells.border(1), 0.05);
  EXPECT_FALSE(cells.may_cut(2));
  EXPECT_DOUBLE_EQ(cells.border(3), 0.5);
  const Split split = split_by(values, {0, 10}, {.n_groups = 2, .first = {0, 3, 5}});
  EXPECT_EQ(split.cuts, (std::vector<double>{5}));
}

TEST(OptimalCut, between_neighbouring_doubles_leaves_each_on_its_side) {
  const double next = std::nextafter(1, 2);
  const Split split = split_by(std::vector<double>{1, next}, {1, next}, {.n_groups = 2, .first = {0, 1, 2}});
  EXPECT_GT(split.cuts[0], 1);
  EXPECT_LE(split.cuts[0], next);
}

TEST(OptimalCut, of_a_column_that_spans_all_doubles_has_increasing_borders) {
  Cells cells;
  lay_out_cells(std::vector<double>{-largest_double, -1, 1, largest_double}, {-largest_double, largest_double}, cells);
  EXPECT_DOUBLE_EQ(cells.border(1), 0.25);
  EXPECT_DOUBLE_EQ(cells.border(2), 0.5);
  EXPECT_DOUBLE_EQ(cells.border(3), 0.75);
}

TEST(Cube, of_ten_thousand_axes_has_a_finite_volume_and_is_put_back_as_it_was) {
  constexpr std::size_t n_axes = 10000;
  Cube cube(std::vector<Interval>(n_axes, {-largest_double, largest_double}));
  std::vector<Cube::Before> steps;
  for (std::size_t axis = 0; axis < n_axes; ++axis) steps.push_back(cube.narrow(axis, {0, 1}, smallest_share));
  EXPECT_NEAR(cube.log2_volume(), n_axes * std::log2(smallest_share), 1e-6);
  while (!steps.empty()) {
    cube.put_back(steps.back());
    steps.pop_back();
  }
  EXPECT_EQ(cube.log2_volume(), 0);
  EXPECT_EQ(cube.interval(0), (Interval{-largest_double, largest_double}));
}

}  // namespace
}  // namespace pidforest::geometry
