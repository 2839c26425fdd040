// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/incidents.h"

namespace pidforest {
namespace {

constexpr std::int64_t minute = 60'000'000;
constexpr std::int64_t hour = 60 * minute;

/// "open 5", "close 5-7" for what a tracker says about events.
class Told {
 public:
  explicit Told(const IncidentOptions& options = {}) : tracker(options) {}

  void add(const TrackedEvent& event) {
    for (const TimedIncident& one : tracker.add(event)) {
      words += (one.is_open ? "open " + std::to_string(one.begin)
                            : "close " + std::to_string(one.begin) + "-" + std::to_string(one.end)) +
               "; ";
      last = one;
    }
  }

  IncidentTracker tracker;
  std::string words;
  TimedIncident last;
};

TEST(Tracker, an_anomaly_within_the_cool_down_extends_an_incident_and_a_later_one_opens_another) {
  Told told({.cool_down = 10});
  for (const std::int64_t time : {0, 10, 20, 31}) told.add({.time = time, .bits = 5, .is_anomaly = true});
  EXPECT_EQ(told.words, "open 0; close 0-20; open 31; ");
  EXPECT_EQ(told.tracker.n_opened(), 2U);
}

TEST(Tracker, an_incident_closes_with_the_first_event_after_its_cool_down_even_if_it_is_normal_or_has_no_score) {
  Told told({.cool_down = 10});
  told.add({.time = 0, .bits = 5, .is_anomaly = true});
  told.add({.time = 10, .bits = 0});
  EXPECT_EQ(told.words, "open 0; ");
  told.add({.time = 11, .bits = std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(told.words, "open 0; close 0-0; ");
}

TEST(Tracker, an_incident_has_its_worst_moment_and_counts_its_events) {
  Told told({.cool_down = 10});
  const std::vector<double> bits{3, 1, 7, 1, 4, 1, 1};
  for (std::size_t i = 0; i < bits.size(); ++i)
    told.add({.time = 2 * static_cast<std::int64_t>(i),
              .row = 100 + i,
              .bits = bits[i],
              .is_anomaly = bits[i] > 2,
              .reason = bits[i] > 6 ? "very high" : "high"});
  told.add({.time = 100, .bits = 0});
  EXPECT_EQ(told.last.begin, 0);
  EXPECT_EQ(told.last.end, 8);
  EXPECT_EQ(told.last.worst, 4);
  EXPECT_EQ(told.last.bits, 7);
  EXPECT_EQ(told.last.n_events, 5U);
  EXPECT_EQ(told.last.n_anomalies, 3U);
  EXPECT_EQ(told.last.first_row, 100U);
  EXPECT_EQ(told.last.last_row, 104U);
  EXPECT_EQ(told.last.worst_rows, (std::vector<std::uint64_t>{102, 104, 100}));
  EXPECT_EQ(told.last.reason, "very high");
  EXPECT_FALSE(told.last.is_open);
}

TEST(Tracker, the_blame_is_the_largest_bits_over_the_eight_rows_with_most_bits) {
  Told told({.cool_down = 10});
  const std::vector<Blame> small{{"noise", 50}};
  told.add({.time = 0, .bits = 1, .is_anomaly = true, .metrics = small});  // the ninth
  for (int i = 1; i <= 8; ++i) {
    const std::vector<Blame> metrics{{"cpu", 1.0 * i}, {"disk", 9.0 - i}, {"fan", -2}};
    told.add({.time = i, .bits = 10, .is_anomaly = true, .metrics = metrics});
  }
  told.add({.time = 100, .bits = 0});
  EXPECT_EQ(told.last.blame, (std::vector<Blame>{{"disk", 8}, {"cpu", 8}}));
}

TEST(Tracker, keys_have_incidents_of_their_own) {
  Told told({.cool_down = 10});
  told.add({.key = "a", .time = 0, .bits = 5, .is_anomaly = true});
  told.add({.key = "b", .time = 5, .bits = 5, .is_anomaly = true});
  told.add({.key = "a", .time = 50, .bits = 0});
  EXPECT_EQ(told.words, "open 0; open 5; close 0-0; ");
  ASSERT_EQ(told.tracker.open().size(), 1U);
  EXPECT_EQ(told.tracker.open()[0].key, "b");
  EXPECT_EQ(told.tracker.open()[0].number, 2U);
}

TEST(Tracker, beyond_the_most_keys_the_one_with_the_oldest_last_event_is_forgotten_and_its_incident_closes) {
  Told told({.cool_down = 10, .most_keys = 2});
  told.add({.key = "a", .time = 0, .bits = 5, .is_anomaly = true});
  told.add({.key = "b", .time = 1, .bits = 5, .is_anomaly = true});
  told.add({.key = "a", .time = 2});
  told.add({.key = "c", .time = 3});
  EXPECT_EQ(told.words, "open 0; open 1; close 1-1; ");
  EXPECT_EQ(told.last.key, "b");
}

TEST(Tracker, the_default_cool_down_is_an_hour_or_24_usual_steps) {
  for (const auto& [step, cool_down] : {std::pair(minute, hour), std::pair(10 * minute, 4 * hour)}) {
    Told within;
    Told beyond;
    for (std::int64_t i = 0; i <= 20; ++i)
      for (Told* told : {&within, &beyond})
        told->add({.time = i * step, .bits = i == 20 ? 9.0 : 0.0, .is_anomaly = i == 20});
    within.add({.time = 20 * step + cool_down, .bits = 9, .is_anomaly = true});
    beyond.add({.time = 20 * step + cool_down + 1, .bits = 9, .is_anomaly = true});
    EXPECT_EQ(within.tracker.n_opened(), 1U);
    EXPECT_EQ(beyond.tracker.n_opened(), 2U);
  }
}

TEST(Tracker, events_without_times_are_counted) {
  Told told;
  for (int i = 0; i < 60; ++i) told.add({.bits = 5, .is_anomaly = i == 1 || i == 25 || i == 50});
  EXPECT_EQ(told.words, "open 1; close 1-25; open 50; ");
}

TEST(Tracker, a_clock_that_is_set_back_closes_an_incident) {
  Told told({.cool_down = 10});
  told.add({.time = 100, .bits = 5, .is_anomaly = true});
  told.add({.time = 50, .bits = 5, .is_anomaly = true});
  EXPECT_EQ(told.words, "open 100; close 100-100; open 50; ");
}

TEST(Tracker, refuses_options_out_of_range_with_the_range) {
  for (const double budget : {0.0, -1.0, 1e6, std::numeric_limits<double>::quiet_NaN()}) {
    try {
      IncidentTracker({.alerts_per_day = budget});
      ADD_FAILURE() << budget;
    } catch (const InvalidOption& error) {
      EXPECT_NE(std::string(error.what()).find("must be between 0.001"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(IncidentTracker({.cool_down = -1}), InvalidOption);
  EXPECT_THROW(IncidentTracker({.is_budget_per_key = true}), InvalidOption);
  EXPECT_THROW(IncidentTracker({.alerts_per_day = 1}).add({.bits = 1}), InvalidInput);
}

TEST(MetricOf, finds_the_metric_in_the_name_of_a_column_of_windows) {
  const std::vector<std::string> metrics{"cpu", "cpu load", "fan"};
  EXPECT_EQ(metric_of("cpu", metrics), "cpu");
  EXPECT_EQ(metric_of("cpu load", metrics), "cpu load");
  EXPECT_EQ(metric_of("cpu load 2 samples earlier", metrics), "cpu load");
  EXPECT_EQ(metric_of("mean of cpu minus usual over the last 1 h", metrics), "cpu");
  EXPECT_EQ(metric_of("deviation of fan over the last 4 samples", metrics), "fan");
  EXPECT_EQ(metric_of("rise of cpu load within 10 min", metrics), "cpu load");
  EXPECT_EQ(metric_of("fans", metrics), "fans");
  EXPECT_EQ(metric_of("place", {}), "place");
}

TEST(TimeInUtc, has_seconds) {
  EXPECT_EQ(time_in_utc(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_in_utc(1'500'000), "1970-01-01T00:00:01.5Z");
}

}  // namespace
}  // namespace pidforest
