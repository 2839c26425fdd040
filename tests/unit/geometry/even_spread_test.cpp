// SPDX-License-Identifier: Apache-2.0
// A column of pure noise of any kind passes the gate about five times in a hundred.
#include "geometry/even_spread.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/category_axis.h"
#include "geometry/cyclic_axis.h"
#include "geometry/ordered_axis.h"
#include "unit/geometry/node_sample.h"

namespace pidforest::geometry {
namespace {

/// The percentage of nodes with n uniform values, some of them missing, that offer a cut.
template <class Draw>
double passing_percentage(const Axis& axis, const Interval& interval, std::size_t n, const Draw& draw) {
  constexpr int rounds = 10000;
  std::mt19937_64 random(11);
  const Gate gate(4);
  int passed = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> values;
    for (std::size_t i = 0; i < n; ++i)
      if (std::generate_canonical<double, 53>(random) >= interval.missing_share) values.push_back(draw(random));
    const std::size_t n_missing = n - values.size();
    const NodeSample sample(values);
    const RandomDraws draws(random, values.size());
    const SampledSides sides = sides_of(axis, sample, interval, draws.draws());
    if (offer_of(sides, values.size(), n_missing, interval.missing_share, gate).gain > 0) ++passed;
  }
  return 100.0 * passed / rounds;
}

auto even_cells(std::uint64_t n) {
  return [n](auto& random) { return static_cast<double>(random() % n) + 0.5; };
}

auto even_levels(std::uint64_t n) {
  return [n](auto& random) { return static_cast<double>(random() % n); };
}

template <class Draw>
void expect_about_five(const Axis& axis, Interval interval, const Draw& draw, const std::string& what) {
  for (const double missing_share : {0.0, 0.2})
    for (const std::size_t n : {20U, 64U, 256U}) {
      interval.missing_share = missing_share;
      const double percentage = passing_percentage(axis, interval, n, draw);
      EXPECT_GT(percentage, 2.5) << what << ", " << n << " rows, missing " << missing_share;
      EXPECT_LT(percentage, 8) << what << ", " << n << " rows, missing " << missing_share;
    }
}

TEST(EvenNoise, of_numbers_passes_about_five_times_in_a_hundred) {
  const auto uniform = [](auto& random) { return std::generate_canonical<double, 53>(random); };
  expect_about_five(OrderedAxis(false), {0, 1}, uniform, "numbers");
}

TEST(EvenNoise, of_levels_in_order_passes_about_five_times_in_a_hundred) {
  for (const std::uint64_t n_cells : {2U, 5U, 30U, 1000U})
    expect_about_five(OrderedAxis(true), {0, static_cast<double>(n_cells)}, even_cells(n_cells),
                      std::to_string(n_cells) + " levels in order");
}

TEST(EvenNoise, around_a_circle_passes_about_five_times_in_a_hundred) {
  const auto hour = [](auto& random) { return 24 * std::generate_canonical<double, 53>(random); };
  expect_about_five(CyclicAxis(24, false), {0, 24}, hour, "a circle");
  for (const std::uint64_t n_cells : {7U, 12U, 24U, 1440U})
    expect_about_five(CyclicAxis(static_cast<double>(n_cells), true), {0, static_cast<double>(n_cells)},
                      even_cells(n_cells), std::to_string(n_cells) + " cells around a circle");
}

TEST(EvenNoise, of_levels_without_order_passes_about_five_times_in_a_hundred) {
  for (const std::uint32_t n_levels : {2U, 3U, 10U, 40U})
    expect_about_five(CategoryAxis(n_levels), {.high = static_cast<double>(n_levels), .branches = {{0, n_levels}}},
                      even_levels(n_levels), std::to_string(n_levels) + " levels");
}

TEST(EvenNoise, of_a_hierarchy_passes_about_five_times_in_a_hundred) {
  // Three branches of 2, 4 and 6 levels.
  const CategoryAxis axis(12, {12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 14, 14, 15, 15, 15, 15});
  expect_about_five(axis, {.high = 12, .branches = {{0, 12}}}, even_levels(12), "a hierarchy");
}

TEST(EvenNoise, of_levels_that_are_nearly_all_different_never_passes) {
  const Interval interval{.high = 1e6, .branches = {{0, 1000000}}};
  EXPECT_LT(passing_percentage(CategoryAxis(1000000), interval, 256, even_levels(1000000)), 1);
}

TEST(CellLikelihoodRatio, of_one_value_in_every_cell_is_nothing) {
  const std::vector<SeenCells> three{{1, 3}};
  const std::vector<SeenCells> two{{1, 2}};
  EXPECT_EQ(cell_likelihood_ratio(5, 3, {three}, {two}), 0);
}

TEST(CellLikelihoodRatio, tends_to_that_of_a_coin_as_cells_hold_many_values) {
  const std::vector<SeenCells> first{{1, 3}};
  const std::vector<SeenCells> second{{1, 7}};
  EXPECT_NEAR(cell_likelihood_ratio(10000, 3200, {first}, {second}), likelihood_ratio(10000, 0.32, 0.3), 0.01);
}

TEST(CellLikelihoodRatio, tends_to_that_of_numbers_as_cells_become_many) {
  // 40 of 100 values are below a cut at 0.3; the smallest and the largest are not evidence.
  const std::vector<SeenCells> end{{1, 1}};
  EXPECT_NEAR(cell_likelihood_ratio(100, 40, {end, 3e8 - 1}, {end, 7e8 - 1}), likelihood_ratio(98, 39.0 / 98, 0.3),
              1e-5);
}

}  // namespace
}  // namespace pidforest::geometry
