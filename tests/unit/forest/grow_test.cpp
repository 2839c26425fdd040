// SPDX-License-Identifier: Apache-2.0
#include "forest/grow.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "each_target.h"
#include "forest/axis_choice.h"
#include "forest/random.h"
#include "forest/sorted_axis.h"
#include "model/roots.h"
#include "random_table.h"
#include "schema/encoded_table.h"
#include "schema/table_facts.h"

namespace pidforest::forest {
namespace {

Tree grow_on_all_rows(const OwnedTable& owned, const Options& options, bool prune) {
  const pidforest::Run run;
  const schema::Encoder encoder(schema::complete_schema(owned.schema(), owned.table()));
  const Table table = owned.table();
  const schema::EncodedTable encoded(encoder, table, run);
  std::vector<table::ColumnRange> ranges(encoder.axes().size());
  model::widen_axis_ranges(encoded.table(), run, ranges);
  const model::Roots roots = model::find_roots(schema::EncodedBatches(encoder, table), ranges, options, run);
  Rows rows{.n = owned.n_rows(), .columns = {}};
  for (const std::size_t axis : roots.axis_order)
    rows.columns.push_back({encoded.table().columns()[axis].first, encoded.table().columns()[axis].stride});
  std::vector<std::size_t> chosen(rows.n);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  return grow(Sample(rows, chosen), roots.axes, roots.intervals,
              {.options = &options, .tree = 0, .run = &run, .prune = prune});
}

RC_GTEST_PROP(Grow, gives_the_same_tree_with_and_without_pruning, ()) {
  const OwnedTable owned = any_table(200);
  Options options = preset(*rc::gen::element("paper", "authors"));
  options.n_estimators = 1;
  options.max_children = *rc::gen::inRange(2, 7);
  options.axis_power = *rc::gen::element(0.0, 0.5, 1.0, std::numeric_limits<double>::infinity());
  options.seed = *rc::gen::inRange(0, 1000);
  RC_ASSERT(grow_on_all_rows(owned, options, true) == grow_on_all_rows(owned, options, false));
}

TEST(Grow, never_goes_deeper_than_max_depth) {
  const OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::heavy_tailed}, 500, 1);
  for (const char* name : {"default", "paper"}) {
    Options options = preset(name);
    options.n_estimators = 1;
    options.max_depth = 1;
    const Tree tree = grow_on_all_rows(owned, options, true);
    EXPECT_FALSE(tree.nodes[0].is_leaf());
    for (std::size_t v = 1; v < tree.nodes.size(); ++v) EXPECT_TRUE(tree.nodes[v].is_leaf());
  }
}

TEST(Grow, sets_children_after_their_parent_and_refers_to_each_once) {
  const OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::sometimes_missing}, 500, 1);
  const Tree tree = grow_on_all_rows(owned, preset("paper"), true);
  std::vector<int> parents(tree.nodes.size(), 0);
  for (std::uint32_t v = 0; v < tree.nodes.size(); ++v)
    for (std::uint32_t i = 0; !tree.nodes[v].is_leaf() && i < tree.nodes[v].n_children(); ++i) {
      EXPECT_GT(tree.nodes[v].first_child + i, v);
      ++parents[tree.nodes[v].first_child + i];
    }
  for (std::size_t v = 0; v < parents.size(); ++v) EXPECT_EQ(parents[v], v == 0 ? 0 : 1);
}

TEST(Grow, in_one_pass_is_close_to_exact_growth) {
  const OwnedTable owned = random_table({ColumnSort::heavy_tailed}, 500, 3);
  Options options = preset("paper");
  options.n_estimators = 1;
  options.max_depth = 1;
  const auto exact = grow_on_all_rows(owned, options, true);
  options.epsilon = 0.01;
  const auto one_pass = grow_on_all_rows(owned, options, true);
  EXPECT_EQ(one_pass.nodes.size(), exact.nodes.size());
}

TEST(SortedAxis, sorts_values_that_differ_in_the_last_bit_only) {
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back(std::nextafter(values.empty() ? 1e9 : values.back(), 2e9));
  values.insert(values.end(),
                {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN(), 5e8, std::numeric_limits<double>::quiet_NaN()});
  std::mt19937_64 random(1);
  std::shuffle(values.begin(), values.end(), random);
  Rows rows{.n = values.size(), .columns = {{values.data(), 1}}};
  std::vector<std::size_t> chosen(rows.n);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  const Sample sample(rows, chosen);
  for_each_target([&] {
    const SortedAxis axis(sample, 0);
    const auto present = axis.values(0, rows.n).values;
    EXPECT_EQ(present.size(), rows.n - 2);
    EXPECT_TRUE(std::is_sorted(present.begin(), present.end()));
  });
}

TEST(AxisChoice, draws_an_axis_in_proportion_to_its_gain_to_the_power) {
  constexpr std::uint32_t n = 20000;
  for (const auto& [power, expected] : {std::pair{1.0, 0.9}, {0.5, 0.75}, {0.25, 0.634}, {0.0, 0.5}}) {
    int first_wins = 0;
    for (std::uint32_t node = 0; node < n; ++node) {
      AxisChoice choice(power);
      for (std::uint32_t axis = 0; axis < 2; ++axis) {
        const double uniform = uniform_pair(0, {.purpose = Purpose::cut, .node = node, .axis = axis}).second;
        choice.offer(axis, choice.key(axis == 0 ? 9.0 : 1.0, uniform));
      }
      first_wins += choice.axis() == 0 ? 1 : 0;
    }
    EXPECT_NEAR(first_wins / static_cast<double>(n), expected, 0.015) << power;
  }
}

TEST(AxisChoice, with_infinite_power_takes_the_largest_gain_and_the_first_of_equals) {
  AxisChoice choice(std::numeric_limits<double>::infinity());
  choice.offer(2, choice.key(1.0, 0.5));
  choice.offer(1, choice.key(3.0, 0.5));
  choice.offer(0, choice.key(3.0, 0.5));
  EXPECT_EQ(choice.axis(), 0U);
}

}  // namespace
}  // namespace pidforest::forest
