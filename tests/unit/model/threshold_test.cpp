// SPDX-License-Identifier: Apache-2.0
#include "model/threshold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace pidforest {
namespace {

/// Returns n scores evenly spaced from `low` to `high`, followed by the others.
std::vector<double> even_scores(std::size_t n, double low, double high, const std::vector<double>& others = {}) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i)
    scores.push_back(low + (high - low) * static_cast<double>(i) / static_cast<double>(n - 1));
  scores.insert(scores.end(), others.begin(), others.end());
  return scores;
}

TEST(Threshold, of_a_share_is_the_least_score_that_so_few_exceed) {
  EXPECT_EQ(model::threshold_for({3, 1, 2, 5, 4}, {.contamination = 0.4}), 3);
  EXPECT_EQ(model::threshold_for({3, 1, 2, 5, 5}, {.contamination = 0.2}), 5);
  EXPECT_EQ(model::threshold_for({7}, {.contamination = 0.5}), 7);
}

TEST(AutomaticThreshold, is_at_least_two_bits_however_alike_the_scores) {
  EXPECT_EQ(model::threshold_for(std::vector<double>(1000, 0), {}), 2);
  EXPECT_EQ(model::threshold_for({0}, {}), 2);
  EXPECT_EQ(model::threshold_for(even_scores(1000, -0.1, 0.1, {1.9}), {}), 2);
}

TEST(AutomaticThreshold, is_beyond_the_tail_by_a_share_of_its_distance_from_the_median) {
  EXPECT_NEAR(model::threshold_for(even_scores(1001, -2, 2), {}), 1.92 + 0.55 * 1.92, 1e-12);
}

TEST(AutomaticThreshold, is_at_most_four_bits_however_wide_the_scores) {
  EXPECT_EQ(model::threshold_for(even_scores(1000, -20, 1.9, {4.1}), {}), 4);
}

TEST(AutomaticThreshold, is_lower_for_many_rows_that_are_as_sparse_as_so_many_can_be) {
  const auto with_group = [](std::size_t n, double bits) {
    return model::threshold_for(even_scores(1000 - n, -20, 0, std::vector<double>(n, bits)), {});
  };
  EXPECT_NEAR(with_group(50, 3), std::log2(20) - 2, 1e-12);
  EXPECT_EQ(with_group(100, 2.5), 2);
  // A tail may well contain this many rows with this few bits.
  EXPECT_EQ(with_group(50, 2), 4);
  EXPECT_EQ(with_group(100, 1.9), 4);
  // A few rows are not a group.
  EXPECT_NEAR(with_group(16, 3.99), std::log2(62.5) - 2, 1e-12);
  EXPECT_EQ(with_group(15, 3.99), 4);
}

TEST(AutomaticThreshold, allows_for_aggregates_that_take_the_word_of_a_few_trees) {
  const std::vector<double> scores(1000, 0);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::vote}), 2);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::quantile, .quantile = 0.5}), 3);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::quantile, .quantile = 0.75}), 4);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::top, .top_share = 0.25}), 4);
  EXPECT_EQ(model::threshold_for(scores, {.n_estimators = 64, .aggregate = Aggregate::max}), 8);
  EXPECT_EQ(model::threshold_for(scores, {.n_estimators = 64, .aggregate = Aggregate::quantile, .quantile = 1}), 8);
}

}  // namespace
}  // namespace pidforest
