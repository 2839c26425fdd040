// SPDX-License-Identifier: Apache-2.0
#include "geometry/category_axis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "unit/geometry/node_sample.h"

namespace pidforest::geometry {
namespace {

Interval all_of(std::uint32_t n_levels) { return {.high = static_cast<double>(n_levels), .branches = {{0, n_levels}}}; }

/// Returns the value of splitting the levels into the groups given by `group_of`; levels without rows are in group 0.
double worth(const std::vector<double>& counts, const std::vector<unsigned>& group_of, unsigned k) {
  std::vector<double> length(k, 0.0);
  std::vector<double> rows(k, 0.0);
  double n = 0;
  for (std::size_t level = 0; level < counts.size(); ++level) {
    length[group_of[level]] += 1.0 / static_cast<double>(counts.size());
    rows[group_of[level]] += counts[level];
    n += counts[level];
  }
  double value = 0;
  for (unsigned g = 0; g < k; ++g)
    if (length[g] > 0) value += rows[g] > 0 ? gain_term(length[g], rows[g] / n) : -1e9;
  return value;
}

double best_by_brute_force(const std::vector<double>& counts, unsigned k) {
  double best = 1;
  std::vector<unsigned> group_of(counts.size(), 0);
  for (;;) {
    best = std::max(best, worth(counts, group_of, k));
    std::size_t i = 0;
    while (i < group_of.size() && ++group_of[i] == k) group_of[i++] = 0;
    if (i == group_of.size()) return best;
  }
}

RC_GTEST_PROP(CategoryAxis, groups_sorted_by_sparsity_are_the_best_of_all_groups, ()) {
  const auto n_levels = static_cast<std::uint32_t>(*rc::gen::inRange(2, 8));
  const int k = *rc::gen::inRange(2, 4);
  std::vector<double> counts(n_levels, 0.0);
  std::vector<double> codes;
  for (std::uint32_t level = 0; level < n_levels; ++level) {
    counts[level] = *rc::gen::inRange(0, 12);
    codes.insert(codes.end(), static_cast<std::size_t>(counts[level]), level);
  }
  RC_PRE(!codes.empty());
  const NodeSample sample(codes);
  const CategoryAxis axis(n_levels);
  Layout layout;
  axis.lay_out(sample.node(), all_of(n_levels), layout);
  const Grouping grouping = partition(layout.cells, k);
  const double best = best_by_brute_force(counts, static_cast<unsigned>(k));
  RC_ASSERT(std::abs(value_of(layout.cells, grouping) / best - 1) < 1e-5);
  const Split split = axis.split_by(sample.node(), all_of(n_levels), layout, grouping);
  RC_ASSERT(std::abs(sum(split.shares) - 1) < 1e-9);
  for (std::uint32_t level = 0; level < n_levels && split.parts.size() > 1; ++level) {
    const auto& branches = split.parts[split.fork().child_of(level)].branches;
    RC_ASSERT(std::ranges::any_of(branches, [&](const CodeRange& c) { return c.begin <= level && level < c.end; }));
  }
}

TEST(CategoryAxis, makes_levels_that_the_node_does_not_show_the_margin) {
  std::vector<double> codes;
  for (int i = 0; i < 60; ++i) codes.push_back(i % 3);  // levels 0, 1, 2 of 5
  const NodeSample sample(codes);
  std::mt19937_64 random(3);
  const RandomDraws draws(random, codes.size());
  const Split split = split_at(CategoryAxis(5), sample, all_of(5), draws.draws());
  const std::uint32_t margin = split.fork().child_of(3);
  EXPECT_EQ(split.fork().child_of(4), margin);
  EXPECT_EQ(split.fork().child_of(5), margin) << "an unseen level";
  for (const double level : {0.0, 1.0, 2.0}) EXPECT_NE(split.fork().child_of(level), margin);
  EXPECT_NEAR(split.shares[margin], 0.4, 1e-12);
  EXPECT_NEAR(sum(split.shares), 1, 1e-12);
}

TEST(CategoryAxis, sets_the_margin_alone_apart_where_it_is_the_evidence) {
  // Nine of ten levels, as evenly as possible: nothing distinguishes them, but the tenth is missing from 900 rows.
  std::vector<double> codes;
  for (int i = 0; i < 900; ++i) codes.push_back(i % 9);
  const NodeSample sample(codes);
  std::mt19937_64 random(3);
  const RandomDraws draws(random, codes.size());
  const CategoryAxis axis(10);
  const SampledSides sides = sides_of(axis, sample, all_of(10), draws.draws());
  EXPECT_GT(offer_of(sides, codes.size(), 0, 0, Gate(4)).gain, 0);
  const Split split = split_at(axis, sample, all_of(10), draws.draws());
  EXPECT_EQ(split.shares, (std::vector<double>{0.9, 0.1}));
  // A margin that an even spread would leave empty as well is not evidence.
  const NodeSample few({0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2});
  const RandomDraws few_draws(random, 12);
  EXPECT_EQ(offer_of(sides_of(axis, few, all_of(10), few_draws.draws()), 12, 0, 0, Gate(4)).gain, 0);
}

TEST(CategoryAxis, sends_a_level_never_heard_of_to_the_sparsest_group_where_there_is_no_margin) {
  std::vector<double> codes(90, 0.0);
  codes.insert(codes.end(), {1, 1, 1});
  const NodeSample sample(codes);
  std::mt19937_64 random(3);
  const RandomDraws draws(random, codes.size());
  const Split sampled = split_at(CategoryAxis(2), sample, all_of(2), draws.draws());
  EXPECT_EQ(sampled.fork().child_of(2), sampled.fork().child_of(1));
  Layout layout;
  CategoryAxis(2).lay_out(sample.node(), all_of(2), layout);
  const Split optimal = CategoryAxis(2).split_by(sample.node(), all_of(2), layout, partition(layout.cells, 3));
  EXPECT_EQ(optimal.fork().child_of(2), optimal.fork().child_of(1));
}

/// The world: Europe (levels 0 to 3), Asia (4, 5), America (6 to 9).
const std::vector<std::uint32_t> world{10, 10, 10, 10, 11, 11, 12, 12, 12, 12, 13, 13, 13, 13};

TEST(CategoryAxis, splits_a_hierarchy_into_whole_branches_and_opens_one_that_is_alone) {
  const CategoryAxis axis(10, world);
  std::vector<double> codes;
  for (int i = 0; i < 100; ++i) codes.push_back(i % 10);
  std::mt19937_64 random(3);
  const NodeSample sample(codes);
  const RandomDraws draws(random, codes.size());
  const Split split = split_at(axis, sample, all_of(10), draws.draws());
  ASSERT_EQ(split.pieces.size(), 3U);
  EXPECT_EQ(split.pieces[0].codes, (CodeRange{0, 4}));
  EXPECT_EQ(split.pieces[1].codes, (CodeRange{4, 6}));
  EXPECT_EQ(split.pieces[2].codes, (CodeRange{6, 10}));

  const NodeSample american({6, 7, 7, 8, 9, 6, 6, 6});
  const RandomDraws more_draws(random, 8);
  const Split inside = split_at(axis, american, {.branches = {{6, 10}}}, more_draws.draws());
  ASSERT_EQ(inside.pieces.size(), 4U);
  EXPECT_EQ(inside.pieces[0].codes, (CodeRange{6, 7}));

  // Only American levels occur, but the whole world is allowed: the American countries are separated, the rest is the
  // margin.
  const Split outside = split_at(axis, american, all_of(10), more_draws.draws());
  EXPECT_EQ(outside.pieces.size(), 4U);
  EXPECT_NEAR(outside.shares[outside.fork().child_of(0)], 0.6, 1e-12);
}

TEST(CategoryAxis, of_a_million_levels_costs_what_its_sample_costs) {
  const CategoryAxis axis(1000000);
  std::mt19937_64 random(3);
  std::vector<double> codes;
  for (int i = 0; i < 256; ++i) codes.push_back(static_cast<double>(random() % 1000 * (random() % 1000)));
  const NodeSample sample(codes);
  const RandomDraws draws(random, codes.size());
  const Split split = split_at(axis, sample, all_of(1000000), draws.draws());
  EXPECT_LE(split.pieces.size(), 256U);
  EXPECT_NEAR(sum(split.shares), 1, 1e-9);
}

}  // namespace
}  // namespace pidforest::geometry
