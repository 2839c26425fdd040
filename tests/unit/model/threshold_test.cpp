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

TEST(AutomaticThreshold, needs_a_narrower_valley_below_rows_that_are_as_sparse_as_that_many_can_be) {
  const auto with_group = [](std::size_t n, double bits, Aggregate aggregate = Aggregate::mean) {
    const Options options{.aggregate = aggregate};
    return model::threshold_for(even_scores(1000 - n, -20, 0, std::vector<double>(n, bits)), options);
  };
  EXPECT_EQ(with_group(50, std::log2(20) - 1.99), 0);
  EXPECT_EQ(with_group(100, 2.01), 0);
  EXPECT_EQ(with_group(16, 3.99), 0);
  // Too few bits for this many rows, too few bits, too many rows, too few rows, and another aggregate.
  EXPECT_EQ(with_group(50, std::log2(20) - 2.01), 4);
  EXPECT_EQ(with_group(100, 1.99), 4);
  EXPECT_EQ(with_group(126, 2.5), 4);
  EXPECT_EQ(with_group(15, 3.99), 4);
  EXPECT_EQ(with_group(50, 3.5, Aggregate::vote), 4);
}

TEST(AutomaticThreshold, is_below_a_group_behind_a_valley) {
  const auto with_group = [](std::size_t n, double bits, double low = -10) {
    return model::threshold_for(even_scores(1000 - n, low, -6, std::vector<double>(n, bits)), {});
  };
  EXPECT_EQ(with_group(50, -2.9), -6);
  EXPECT_EQ(with_group(100, -2.9), -6);
  // Too many rows, too few, too near, and too near for scores that are spread so widely.
  EXPECT_GT(with_group(101, -2.9), -2.9);
  EXPECT_GT(with_group(15, -2.9), -6);
  EXPECT_GT(with_group(60, -3.2), -3.2);
  EXPECT_GT(with_group(50, -2.9, -20), -2.9);
}

TEST(AutomaticThreshold, finds_no_valley_with_more_than_half_as_many_rows_as_the_group) {
  const auto with_valley = [](std::size_t n) {
    std::vector<double> others = even_scores(n, -4, -2.1);
    others.insert(others.end(), 40, -1);
    return model::threshold_for(even_scores(960 - n, -10, -6, others), {});
  };
  EXPECT_LT(with_valley(20), -1);
  EXPECT_GT(with_valley(120), -1);
}

TEST(AutomaticThreshold, finds_no_valley_among_a_few_different_scores) {
  const auto of_levels = [](std::size_t n_levels) {
    std::vector<double> scores(80, -1);
    for (std::size_t i = 0; i < 920; ++i)
      scores.push_back(-10 + 4 * static_cast<double>(i % n_levels) / static_cast<double>(n_levels));
    return model::threshold_for(scores, {});
  };
  EXPECT_GT(of_levels(16), -1);
  EXPECT_LT(of_levels(92), -1);
}

TEST(AutomaticThreshold, of_a_stream_is_at_least_two_bits) {
  const std::vector<double> scores(1000, -7);
  EXPECT_EQ(model::threshold_for(scores, {}, model::ScoredBy::many_forests), 2);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::odds}, model::ScoredBy::many_forests), 5);
  EXPECT_EQ(model::threshold_for(scores, {.contamination = 0.1}, model::ScoredBy::many_forests), -7);
}

TEST(AutomaticThreshold, allows_for_aggregates_that_take_the_word_of_a_few_trees) {
  const std::vector<double> scores = even_scores(1000, -50, 0);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::vote}), 4);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::quantile, .quantile = 0.5}), 5);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::quantile, .quantile = 0.75}), 6);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::top, .top_share = 0.25}), 6);
  EXPECT_EQ(model::threshold_for(scores, {.aggregate = Aggregate::odds}), 7);
  EXPECT_EQ(model::threshold_for(scores, {.n_estimators = 64, .aggregate = Aggregate::max}), 10);
  EXPECT_EQ(model::threshold_for(scores, {.n_estimators = 64, .aggregate = Aggregate::quantile, .quantile = 1}), 10);
}

}  // namespace
}  // namespace pidforest
