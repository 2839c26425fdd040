// SPDX-License-Identifier: Apache-2.0
#include "forest/aggregate.h"

#include <gtest/gtest.h>

namespace pidforest::forest {
namespace {

/// Returns the score of a row with these bits in its trees.
double score(const Options& options, const std::vector<double>& bits,
             const std::vector<double>& medians = {0, 0, 0, 0, 0}) {
  Aggregator aggregator(options, medians);
  aggregator.begin_block();
  for (std::size_t tree = 0; tree < bits.size(); ++tree) {
    aggregator.begin_tree()[0] += bits[tree];
    aggregator.end_tree(tree);
  }
  std::array<double, 1> result{};
  aggregator.end_block(result);
  return result[0];
}

TEST(Aggregate, mean_is_the_mean) { EXPECT_EQ(score({.aggregate = Aggregate::mean}, {1, 2, 6}), 3); }

TEST(Aggregate, max_is_the_largest) { EXPECT_EQ(score({.aggregate = Aggregate::max}, {1, 7, 6}), 7); }

TEST(Aggregate, quantile_is_linear_between_ranks) {
  Options options{.aggregate = Aggregate::quantile, .quantile = 0.5};
  EXPECT_EQ(score(options, {5, 1, 3}), 3);
  EXPECT_EQ(score(options, {5, 1, 3, 4}), 3.5);
  options.quantile = 0.75;
  EXPECT_EQ(score(options, {0, 1, 2, 3, 4}), 3);
  options.quantile = 1;
  EXPECT_EQ(score(options, {0, 9, 2}), 9);
}

TEST(Aggregate, top_is_the_mean_of_the_highest_share_and_of_one_tree_at_least) {
  Options options{.aggregate = Aggregate::top, .top_share = 0.4};
  EXPECT_EQ(score(options, {1, 10, 3, 8, 2}), 9);
  options.top_share = 0.001;
  EXPECT_EQ(score(options, {1, 10, 3}), 10);
}

TEST(Aggregate, vote_bounds_the_say_of_each_tree) {
  const Options options{.aggregate = Aggregate::vote};
  EXPECT_EQ(score(options, {4, 4}, {0, 0}), 2);
  EXPECT_EQ(score(options, {5}, {1}), 2);
  EXPECT_LT(score(options, {1e9}, {0}), 4.0001);
}

}  // namespace
}  // namespace pidforest::forest
