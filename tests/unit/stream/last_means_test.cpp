// SPDX-License-Identifier: Apache-2.0
// Means over the last events of a stream.
#include "stream/last_means.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/series.h"

namespace pidforest {
namespace {

using stream::LastMeans;
using Means = std::vector<double>;

/// Learns the values of one metric and returns its means after each.
std::vector<Means> followed(LastMeans& last, const std::vector<double>& values) {
  std::vector<Means> found;
  for (const double x : values) {
    Means& means = found.emplace_back(last.n_means());
    last.of_next(std::span(&x, 1), means);
    last.learn(std::span(&x, 1));
  }
  return found;
}

TEST(last_means, are_those_of_the_values_so_far_until_there_are_enough) {
  LastMeans last(1, {3, 2});
  const std::vector<Means> expected{{1, 1}, {2, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}};
  EXPECT_EQ(followed(last, {1, 3, 5, 7, 9, 11}), expected);
  last.start_segment();
  EXPECT_EQ(followed(last, {4, 6}), (std::vector<Means>{{4, 4}, {5, 5}}));
}

TEST(last_means, leave_out_missing_values) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  LastMeans last(1, {3});
  EXPECT_EQ(followed(last, {2, nan, 8, nan}), (std::vector<Means>{{2}, {2}, {5}, {8}}));
  EXPECT_TRUE(std::isnan(followed(last, {nan, nan})[1][0]));
}

TEST(last_means, of_equal_values_are_that_value) {
  LastMeans last(1, {7});
  for (const Means& means : followed(last, std::vector<double>(50, 0.1))) EXPECT_EQ(means[0], 0.1);
}

TEST(last_means, go_on_after_they_were_saved) {
  LastMeans whole(2, {5, 12});
  LastMeans part(2, {5, 12});
  for (int i = 0; i < 40; ++i) {
    const std::vector<double> values{std::sin(i), std::cos(i)};
    Means expected(4);
    Means found(4);
    whole.of_next(values, expected);
    part.of_next(values, found);
    EXPECT_EQ(found, expected);
    whole.learn(values);
    part.learn(values);
    LastMeans again(2, {5, 12});
    again.restore(part.saved());
    part = again;
  }
  EXPECT_THROW(part.restore(std::vector<double>(3)), BadFile);
  EXPECT_THROW(part.restore(std::vector<double>(24)), BadFile);
  EXPECT_THROW(part.restore(std::vector<double>{1, std::numeric_limits<double>::infinity()}), BadFile);
}

/// A noisy level with a shift of half a deviation at the end, and an outlier.
struct Shifted {
  static constexpr int n = 3000;
  static constexpr int outlier = 2000;
  static constexpr int shift = 2900;

  explicit Shifted(const StreamOptions& options) : stream(options) {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal;
    for (int i = 0; i < n; ++i) {
      const double x = normal(random) + (i == outlier ? 15 : 0) + (i >= shift ? 0.8 : 0);
      scored.push_back(stream.update(Table(1, {{.name = "cpu", .first = &x}}))[0]);
    }
  }
  [[nodiscard]] double mean_bits(int begin, int end) const {
    double sum = 0;
    for (int i = begin; i < end; ++i) sum += scored[static_cast<std::size_t>(i)].bits;
    return sum / (end - begin);
  }
  [[nodiscard]] int flags(int begin, int end) const {
    return static_cast<int>(std::ranges::count_if(
        std::span(scored).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
        &EventScore::is_anomaly));
  }

  Stream stream;
  std::vector<EventScore> scored;
};

TEST(last_means, of_a_stream_show_a_shift_that_no_event_shows) {
  const Shifted without({.recent = 0});
  const Shifted with({.recent = 0, .means = {64}});
  EXPECT_LT(without.mean_bits(Shifted::shift, Shifted::n), without.mean_bits(Shifted::outlier, Shifted::shift) + 1);
  EXPECT_GT(with.mean_bits(Shifted::shift, Shifted::n), with.mean_bits(Shifted::outlier, Shifted::shift) + 2);
  EXPECT_EQ(with.stream.schema()->columns.back().name, "cpu mean of 64 samples");
}

TEST(last_means, do_not_ring_for_an_outlier_as_long_as_they_hold_it) {
  const Shifted stream({.means = {64}});
  EXPECT_TRUE(stream.scored[Shifted::outlier].is_anomaly);
  EXPECT_LE(stream.flags(Shifted::outlier, Shifted::outlier + 100), 5);
}

TEST(last_means, of_a_constant_column_do_not_prolong_an_exception) {
  Stream stream({.means = {30}});
  int flags = 0;
  for (int i = 0; i < 1000; ++i) {
    const double x = i == 600 ? 8 : 7;
    const double y = i % 10;
    flags += stream.update(Table(1, {{"build", &x}, {"load", &y}}))[0].is_anomaly ? 1 : 0;
  }
  EXPECT_EQ(flags, 1);
}

TEST(last_means, are_named_by_time_while_the_steps_are_equal) {
  Stream stream({.warm_up = 20, .window = 2, .means = {12}});
  for (int i = 0; i < 40; ++i) {
    const double x = i % 7;
    const std::int64_t time = i * 300'000'000LL;
    stream.learn(Table(1, {{.name = "cpu", .first = &x}}), std::span(&time, 1));
  }
  EXPECT_EQ(stream.schema()->columns.back().name, "cpu mean over 1 h");
}

TEST(last_means, are_checked) {
  EXPECT_THROW(Stream({.means = {1}}), InvalidOption);
  EXPECT_THROW(Stream({.means = {100'001}}), InvalidOption);
  EXPECT_THROW(Stream({.means = std::vector<std::size_t>(101, 2)}), InvalidOption);
}

}  // namespace
}  // namespace pidforest
