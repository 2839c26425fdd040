// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "incidents/alert_rates.h"
#include "pidforest/incidents.h"

namespace pidforest {
namespace {

constexpr std::int64_t a_minute = 60'000'000;
constexpr std::int64_t a_day = 1440 * a_minute;

/// Scores of a stream: normal ones around 0 with a long tail.
double made_score(std::mt19937_64& random) {
  const double u = (static_cast<double>(random() >> 11) + 1) * 0x1p-53;
  return -2 - 1.5 * std::log(u);
}

/// The incidents that open on each day.
std::vector<int> openings_per_day(IncidentTracker& tracker, int n_days, std::int64_t step, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> openings(static_cast<std::size_t>(n_days), 0);
  for (std::int64_t time = 0; time < n_days * a_day; time += step) {
    const double bits = made_score(random);
    const bool is_anomaly = tracker.rule("", {.threshold = 4}).is_anomaly(bits).value_or(false);
    for (const TimedIncident& one : tracker.add({.time = time, .bits = bits, .is_anomaly = is_anomaly}))
      if (one.is_open) ++openings[static_cast<std::size_t>(time / a_day)];
  }
  return openings;
}

int sum_from(const std::vector<int>& openings, std::size_t first) {
  int sum = 0;
  for (std::size_t i = first; i < openings.size(); ++i) sum += openings[i];
  return sum;
}

TEST(Budget, is_kept_and_nearly_used) {
  for (const double budget : {0.25, 1.0, 5.0, 20.0}) {
    IncidentTracker tracker({.cool_down = 10 * a_minute, .alerts_per_day = budget});
    const std::vector<int> openings = openings_per_day(tracker, 120, a_minute, 7);
    const double per_day = sum_from(openings, 20) / 100.0;
    EXPECT_LE(per_day, budget * 1.05) << budget;
    EXPECT_GE(per_day, budget * 0.5) << budget;
  }
}

TEST(Budget, no_more_incidents_open_within_a_day_than_it_says) {
  IncidentTracker tracker({.cool_down = a_minute, .alerts_per_day = 3});
  std::vector<std::int64_t> openings;
  for (std::int64_t time = 0; time < 3 * a_day; time += a_minute) {
    const bool is_storm = time > a_day && time / a_minute % 3 == 0;
    for (const TimedIncident& one : tracker.add({.time = time, .bits = is_storm ? 30.0 : 0.0, .is_anomaly = is_storm}))
      if (one.is_open) openings.push_back(time);
  }
  ASSERT_GE(openings.size(), 6U);
  for (std::size_t i = 3; i < openings.size(); ++i) EXPECT_GT(openings[i] - openings[i - 3], a_day);
  EXPECT_GT(tracker.n_over_budget(), 500U);
}

TEST(Budget, a_change_of_level_of_the_scores_is_followed) {
  IncidentTracker tracker({.cool_down = 10 * a_minute, .alerts_per_day = 2});
  std::mt19937_64 random(3);
  int late = 0;
  for (std::int64_t time = 0; time < 80 * a_day; time += a_minute) {
    const double bits = made_score(random) + (time > 30 * a_day ? 3 : 0);
    const bool is_anomaly = tracker.rule("", {.threshold = 4}).is_anomaly(bits).value_or(false);
    for (const TimedIncident& one : tracker.add({.time = time, .bits = bits, .is_anomaly = is_anomaly}))
      late += one.is_open && time > 60 * a_day ? 1 : 0;
  }
  EXPECT_GE(late, 20);
  EXPECT_LE(late, 42);
}

TEST(Budget, lets_at_most_a_twentieth_of_the_events_pass) {
  IncidentTracker tracker({.cool_down = 0, .alerts_per_day = 5000});
  std::mt19937_64 random(5);
  int n = 0;
  for (int i = 0; i < 20'000; ++i) {
    const double bits = made_score(random);
    const bool is_anomaly = tracker.rule("", {}).is_anomaly(bits).value_or(false);
    n += is_anomaly && i >= 10'000 ? 1 : 0;
    (void)tracker.add({.time = i * a_minute, .bits = bits, .is_anomaly = is_anomaly});
  }
  EXPECT_LE(n, 520);
  EXPECT_GE(n, 350);
}

TEST(Budget, in_the_first_day_the_automatic_threshold_holds_too) {
  IncidentTracker tracker({.alerts_per_day = 5});
  EXPECT_EQ(tracker.rule("", {.threshold = 4}).threshold, 4);
  (void)tracker.add({.time = 0, .bits = 1});
  const AnomalyRule rule = tracker.rule("", {.threshold = 4});
  EXPECT_FALSE(rule.is_anomaly(4).value_or(true));
  EXPECT_TRUE(rule.is_anomaly(4.01).value_or(false));
}

TEST(Budget, of_keys_is_shared_unless_each_has_its_own) {
  for (const bool per_key : {false, true}) {
    IncidentTracker tracker({.cool_down = a_minute, .alerts_per_day = 2, .is_budget_per_key = per_key});
    for (std::int64_t time = 0; time < a_day; time += 10 * a_minute)
      for (const char* key : {"a", "b"}) (void)tracker.add({.key = key, .time = time, .bits = 9, .is_anomaly = true});
    EXPECT_EQ(tracker.n_opened(), per_key ? 4U : 2U);
  }
}

TEST(Levels, are_quarters_of_a_bit) {
  EXPECT_EQ(incidents::levels_reached(-16.1), 0U);
  EXPECT_EQ(incidents::levels_reached(std::nan("")), 0U);
  for (const double bits : {-16.0, -3.25, 0.0, 5.5, 31.75})
    EXPECT_EQ(incidents::bits_of_level(incidents::levels_reached(bits) - 1), bits);
  EXPECT_EQ(incidents::levels_reached(1e9), incidents::n_levels);
}

}  // namespace
}  // namespace pidforest
