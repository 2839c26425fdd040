// SPDX-License-Identifier: Apache-2.0
#include "stream/vanished_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/series.h"

namespace pidforest {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The events of two metrics at which an alarm says that `cpu` is missing, as it is where `is_missing` says so.
template <class IsMissing>
std::vector<int> alarms(const StreamOptions& options, int n, const IsMissing& is_missing, std::string& reason) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Stream stream(options);
  std::vector<int> found;
  for (int i = 0; i < n; ++i) {
    const double cpu = is_missing(i) ? nan : 5 + 0.1 * normal(random);
    const double load = 2 + 0.1 * normal(random);
    const Table event(1, {{"cpu", &cpu}, {"load", &load}});
    Finding finding;
    bool rings = false;
    (void)stream.update(event, [&](const EventScore& scored) {
      rings = scored.is_anomaly;
      if (rings) finding = stream.find_last(4.0);
    });
    if (!rings) continue;
    const Witness witness = stream.explain_last();
    if (witness.conditions[0].shape != Condition::Shape::missing) continue;  // the other metric
    found.push_back(i);
    describe(finding, witness, stream.last_window(event), 0, *stream.schema());
    reason = reason_in_words(finding, witness, *stream.schema());
    EXPECT_FALSE(finding.normal_if);
  }
  return found;
}

TEST(vanished_metrics, ring_once_and_are_quiet_then) {
  for (const std::size_t window : {1U, 10U}) {
    std::string reason;
    const StreamOptions options{.window = window};
    EXPECT_EQ(alarms(options, 5000, [](int i) { return i >= 1000; }, reason), std::vector<int>{1031});
    EXPECT_NE(reason.find(window == 1 ? "cpu is missing: only 32 of 1,032 rows lack it" : "cpu is missing: only 32 of"),
              std::string::npos)
        << reason;
  }
}

TEST(vanished_metrics, that_come_back_ring_again_only_after_a_gap_of_twice_the_length) {
  std::string reason;
  // Gaps of 40 events ring once, and then one of 100 events.
  const auto is_missing = [](int i) { return i >= 600 && (i < 3000 ? i % 200 < 40 : i >= 3100 && i < 3200); };
  EXPECT_EQ(alarms({}, 3300, is_missing, reason), (std::vector<int>{631, 3179}));
}

TEST(vanished_metrics, do_not_ring_for_single_missing_values) {
  std::string reason;
  EXPECT_EQ(alarms({}, 3000, [](int i) { return i % 7 == 0 || (i > 2000 && i < 2030); }, reason), std::vector<int>());
}

TEST(vanished_metrics, that_never_had_values_do_not_ring) {
  stream::VanishedMetrics metrics(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(metrics.vanishing(std::vector<double>{nan}).empty());
    metrics.learn(std::vector<double>{nan});
  }
  metrics.learn(std::vector<double>{1});
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(metrics.vanishing(std::vector<double>{nan}).size(), i == 31 ? 1U : 0U);
    metrics.learn(std::vector<double>{nan});
  }
}

TEST(vanished_metrics, go_on_after_they_were_saved) {
  stream::VanishedMetrics metrics(2);
  metrics.learn(std::vector<double>{1, 2});
  EXPECT_TRUE(metrics.saved().empty());
  for (int i = 0; i < 31; ++i) metrics.learn(std::vector<double>{1, nan});
  stream::VanishedMetrics again(2);
  again.restore(metrics.saved());
  EXPECT_EQ(again.vanishing(std::vector<double>{nan, nan}), std::vector<std::size_t>{1});
  EXPECT_EQ(again.saved(), metrics.saved());
  EXPECT_THROW(again.restore(std::vector<std::uint64_t>{1, 2, 1}), BadFile);
  EXPECT_THROW(again.restore(std::vector<std::uint64_t>(6, ~std::uint64_t{0})), BadFile);
}

}  // namespace
}  // namespace pidforest
