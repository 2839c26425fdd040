// SPDX-License-Identifier: Apache-2.0
#include "geometry/cyclic_axis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/geometry/node_sample.h"

namespace pidforest::geometry {
namespace {

constexpr double period = 24;
const Interval circle{0, period};

/// The cells of sorted values around the circle, opened before value `first`; borders are halfway between neighbours.
Cells opened_before(const std::vector<double>& sorted, std::size_t first) {
  const std::size_t n = sorted.size();
  const auto half_gap_after = [&](std::size_t i) {
    const double gap = sorted[(i + 1) % n] - sorted[i % n];
    return (gap < 0 || n == 1 ? gap + period : gap) / 2;
  };
  std::vector<double> ends;
  double end = half_gap_after(first + n - 1);
  for (std::size_t i = first; i < first + n; ++i) {
    ends.push_back((end + half_gap_after(i)) / period);
    end += 2 * half_gap_after(i);
  }
  Cells cells;
  cells.lay_out(
      n, [&](std::size_t i) { return ends[i]; },
      [&](std::size_t i) { return sorted[(first + i) % n] != sorted[(first + i + 1) % n]; });
  return cells;
}

double best_by_brute_force(const std::vector<double>& sorted, int k) {
  double best = 0;
  for (std::size_t first = 0; first < sorted.size(); ++first) {
    const bool splits_a_tie = sorted[first] == sorted[(first + sorted.size() - 1) % sorted.size()];
    if (splits_a_tie && sorted.front() != sorted.back()) continue;
    const Cells cells = opened_before(sorted, first);
    best = std::max(best, value_of(cells, partition_plain(cells, k)));
  }
  return best;
}

std::vector<double> any_hours(int most) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(2, most));
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  const bool is_lumpy = *rc::gen::arbitrary<bool>();
  std::vector<double> hours;
  for (std::size_t i = 0; i < n; ++i) {
    const auto u = std::generate_canonical<double, 53>(random);
    hours.push_back(std::fmod(is_lumpy ? 20 + 10 * u * u * u : 24 * u, period));
    if (random() % 5 == 0) hours.back() = std::floor(hours.back());  // some are equal
  }
  std::sort(hours.begin(), hours.end());
  return hours;
}

RC_GTEST_PROP(CyclicAxis, opens_the_circle_where_the_best_split_is, ()) {
  const std::vector<double> hours = any_hours(80);
  const int k = *rc::gen::inRange(2, 7);
  const NodeSample sample(hours);
  const CyclicAxis axis(period, false);
  Layout layout;
  axis.lay_out(sample.node(), circle, layout);
  const double bound = value_bound(layout.cells, axis.groups_to_bound(circle, k));
  const Grouping grouping = axis.group(sample.node(), circle, k, nullptr, layout);
  const double found = value_of(layout.cells, grouping);
  const double best = best_by_brute_force(hours, k);
  RC_ASSERT(std::abs(found / best - 1) < 1e-4);
  RC_ASSERT(bound > best * (1 - 1e-9));
}

RC_GTEST_PROP(CyclicAxis, children_of_both_rules_fill_the_circle_and_every_arc, ()) {
  const NodeSample sample(any_hours(60));
  const CyclicAxis axis(period, false);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  Interval interval = circle;
  std::vector<double> inside = sample.values;
  for (int depth = 0; depth < 4 && inside.size() > 2 && inside.front() < inside.back(); ++depth) {
    const NodeSample node(inside);
    const RandomDraws draws(random, inside.size());
    Split split;
    if (depth % 2 == 0) {
      split = split_at(axis, node, interval, draws.draws());
    } else {
      Layout layout;
      axis.lay_out(node.node(), interval, layout);
      split = axis.split_by(node.node(), interval, layout, partition(layout.cells, 3));
    }
    RC_ASSERT(std::abs(sum(split.shares) - 1) < 1e-9);
    // Each value goes to the child of its arc.
    std::vector<std::vector<double>> by_child(split.shares.size());
    for (const double x : inside) {
      const std::uint32_t child = split.fork().child_of(x);
      by_child[child].push_back(x);
      if (split.parts.size() < 2) continue;
      const Interval& arc = split.parts[child];
      RC_ASSERT((x >= arc.low && x <= arc.high + 1e-9) || x + period <= arc.high + 1e-9);
    }
    const auto largest = std::max_element(by_child.begin(), by_child.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    interval = split.part_of(interval, static_cast<std::size_t>(largest - by_child.begin()));
    inside = *largest;
  }
}

TEST(CyclicAxis, finds_an_arc_across_midnight_as_one_child) {
  // No events between 23:00 and 03:00.
  std::vector<double> hours;
  for (int i = 0; i < 200; ++i) hours.push_back(3 + 20 * (i / 200.0));
  std::mt19937_64 random(1);
  const NodeSample sample(hours);
  const RandomDraws draws(random, hours.size());
  const Split split = split_at(CyclicAxis(period, false), sample, circle, draws.draws());
  const Fork fork = split.fork();
  EXPECT_EQ(fork.child_of(23.5), fork.child_of(0));
  EXPECT_EQ(fork.child_of(0), fork.child_of(2.9));
  EXPECT_NE(fork.child_of(3), fork.child_of(2.9));
  EXPECT_NEAR(split.shares[fork.child_of(0)], 4.1 / 24, 1e-9);
}

TEST(CyclicAxis, sets_empty_cells_apart_across_the_end_of_the_year) {
  // Months 2 to 9 only: November, December, January and February are the margin.
  std::vector<double> months;
  for (int i = 0; i < 80; ++i) months.push_back(2 + i % 8 + 0.5);
  std::mt19937_64 random(1);
  const NodeSample sample(months);
  const RandomDraws draws(random, months.size());
  const Split split = split_at(CyclicAxis(12, true), sample, {0, 12}, draws.draws());
  const std::uint32_t winter = split.fork().child_of(0.5);
  for (const double month : {10.5, 11.5, 1.5}) EXPECT_EQ(split.fork().child_of(month), winter);
  for (int month = 2; month < 10; ++month) EXPECT_NE(split.fork().child_of(month + 0.5), winter);
  EXPECT_NEAR(split.shares[winter], 4.0 / 12, 1e-12);
}

TEST(CyclicAxis, of_one_value_has_nothing_to_cut_unless_it_has_cells) {
  const NodeSample sample({5.5, 5.5, 5.5});
  std::mt19937_64 random(1);
  const RandomDraws draws(random, 3);
  EXPECT_FALSE(sides_of(CyclicAxis(period, false), sample, circle, draws.draws()).can_be_cut);
  EXPECT_TRUE(sides_of(CyclicAxis(period, true), sample, circle, draws.draws()).can_be_cut);
  EXPECT_FALSE(sides_of(CyclicAxis(period, true), NodeSample({}), circle, {}).can_be_cut);
}

}  // namespace
}  // namespace pidforest::geometry
