// SPDX-License-Identifier: Apache-2.0
// Incidents in time: consecutive anomalies of a series as one event with a beginning, an end and the metrics to blame.
//
//   pidforest::IncidentTracker tracker({.cool_down = 10});
//   for (std::int64_t time : {1, 2, 30})
//     for (const pidforest::TimedIncident& changed : tracker.add({.time = time, .bits = 9, .is_anomaly = true}))
//       std::cout << (changed.is_open ? "+" : "-") << changed.end;  // prints +1-2+30
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"

namespace [[gnu::visibility("default")]] pidforest {

namespace incidents {
struct TrackerAccess;  // how the library's own sources reach the state of a tracker
}

/// How many bits a metric gives to a row or an incident.
struct Blame {
  std::string metric = {};
  double bits = 0;

  bool operator==(const Blame&) const = default;
};

/// Anomalies of one series with no more than the cool-down between two of them. Times are UTC microseconds; of events
/// without times, they are the numbers of the events of the series, from 0.
struct TimedIncident {
  /// Incidents are numbered from 1 in the order in which they open.
  std::uint64_t number = 0;
  std::string key = {};
  bool is_open = true;
  /// The times of the first, the last and the rarest anomaly.
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t worst = 0;
  /// The score of the rarest.
  double bits = 0;
  /// The rows, or lines, of the first and the last anomaly, as the caller numbers them.
  std::uint64_t first_row = 0;
  std::uint64_t last_row = 0;
  /// The anomalies with the most bits, at most eight; the rarest first.
  std::vector<std::uint64_t> worst_rows = {};
  /// The events from the first to the last anomaly, and the anomalies among them.
  std::uint64_t n_events = 0;
  std::uint64_t n_anomalies = 0;
  /// The metrics to blame, at most ten, the most bits first: each with the largest bits that it gives to one of the
  /// rows with the most bits.
  std::vector<Blame> blame = {};
  /// The reason of the rarest anomaly, as the caller has put it.
  std::string reason = {};

  bool operator==(const TimedIncident&) const = default;
};

struct IncidentOptions {
  /// An incident ends with an anomaly that no other one follows within the cool-down: microseconds, or a number of
  /// events where they have no times. By default 24 usual steps between the events of the series, and at least an
  /// hour; 24 events without times.
  std::optional<std::int64_t> cool_down = {};
  /// A budget: how many incidents may open per day. It replaces the threshold; see IncidentTracker::rule.
  std::optional<double> alerts_per_day = {};
  /// Whether each key has a budget of its own.
  bool is_budget_per_key = false;
  /// How many keys are known at most. The key whose last event came first is forgotten; its incident closes.
  std::size_t most_keys = std::numeric_limits<std::size_t>::max();

  bool operator==(const IncidentOptions&) const = default;
};

/// Throws InvalidOption that names the option, its range and the value.
void validate(const IncidentOptions& options);

/// An event of a series and what its score says.
struct TrackedEvent {
  std::string_view key = {};
  /// UTC microseconds; without a value, the events of a key are counted instead. All events have one, or none has.
  std::optional<std::int64_t> time = {};
  /// What the caller calls the row.
  std::uint64_t row = 0;
  /// NaN for an event without a score.
  double bits = 0;
  bool is_anomaly = false;
  /// The bits of the metrics, in any order; only used for anomalies.
  std::span<const Blame> metrics = {};
  std::string_view reason = {};
};

/// Joins the anomalies of series, event by event, into incidents. Equal events give equal incidents. Memory: about 300
/// bytes per key, and 2 KB with a budget; an open incident has at most eight rows of ten metrics more.
class IncidentTracker {
 public:
  /// Throws InvalidOption.
  explicit IncidentTracker(const IncidentOptions& options = {});
  ~IncidentTracker();
  IncidentTracker(IncidentTracker&&) noexcept;
  IncidentTracker& operator=(IncidentTracker&&) noexcept;
  IncidentTracker(const IncidentTracker&) = delete;
  IncidentTracker& operator=(const IncidentTracker&) = delete;

  /// Which scores of the next event of a key are anomalies. Without a budget: `automatic`.
  ///
  /// With one, the score from which on the events so far would have opened no more incidents than the budget allows, in
  /// steps of a quarter of a bit; older events count less, half after two weeks, or after 14 alerts' worth of days
  /// where the budget is less than one per day. At most a twentieth of the events are above it, and in the first day
  /// `automatic` holds in addition.
  [[nodiscard]] AnomalyRule rule(std::string_view key, const AnomalyRule& automatic) const;

  /// The incidents that an event changes: that of its key may close, and another one may open. Within a day no more
  /// incidents open than the budget says (one within 1 / budget days where it is less than 1); further anomalies are
  /// counted by `n_over_budget` instead. Throws InvalidInput for an event without a time if there is a budget.
  std::vector<TimedIncident> add(const TrackedEvent& event);

  /// The open incidents, by their numbers.
  [[nodiscard]] std::vector<TimedIncident> open() const;
  /// The number of incidents that have opened.
  [[nodiscard]] std::uint64_t n_opened() const;
  /// Anomalies that opened no incident because the budget of the day was spent.
  [[nodiscard]] std::uint64_t n_over_budget() const;
  [[nodiscard]] const IncidentOptions& options() const;

  /// The whole state as bytes, with the options except `most_keys`. Equal trackers have equal bytes.
  [[nodiscard]] std::string to_bytes() const;
  /// Restores a tracker, which then continues as the original would have. Throws BadFile.
  static IncidentTracker from_bytes(std::string_view bytes,
                                    std::size_t most_keys = std::numeric_limits<std::size_t>::max());

 private:
  struct State;
  friend struct incidents::TrackerAccess;

  std::unique_ptr<State> state_;
};

/// The metric that a column of windows is made of, such as "cpu" for "mean of cpu minus usual over the last 1 h"; the
/// name itself for any other column. `metrics` are the names of all metrics.
std::string metric_of(std::string_view column, std::span<const std::string> metrics);

/// The bits of metrics from those of columns: the largest of its columns for each.
std::vector<Blame> blame_of(std::span<const ColumnBits> columns, const Schema& schema,
                            std::span<const std::string> metrics);

/// Where the rows of a table have their times and keys.
struct IncidentColumns {
  std::string time = {};
  /// Empty: the table is one series.
  std::string by = {};
  /// How times are written; inferred if it has no name.
  ColumnSchema time_schema = {};
};

/// The incidents in time of a table.
struct TimedFindings {
  /// The incidents, the one with the rarest anomaly first, and the rows of their `worst_rows` as findings. With a
  /// budget, the rule has the lowest score that keeps it, that of the key with the lowest if each has its own.
  std::vector<TimedIncident> incidents = {};
  Findings found = {};
  /// The anomalies of all incidents.
  std::uint64_t n_anomalies = 0;
  /// Describes the times.
  ColumnSchema time = {};
};

/// Joins the anomalies of scored rows into incidents. With a budget, the lowest score is taken from which on no more
/// incidents open than it allows for the days from the first row to the last, and at most a twentieth of the rows.
/// An incident is open if the table ends within its cool-down. Throws InvalidInput or Cancelled.
TimedFindings find_timed_incidents(Explainer& explainer, const Scores& scores, const IncidentColumns& columns,
                                   const IncidentOptions& options = {}, std::optional<double> min_bits = {},
                                   const Run& run = {});

/// The lowest score within the budget, as find_timed_incidents takes it, for a budget that all keys share.
double bits_in_budget(const Scores& scores, const IncidentColumns& columns, const IncidentOptions& options);

/// A time of an incident for people, on the clock of its column: "2026-03-02 08:16".
std::string time_in_words(std::int64_t time, const ColumnSchema& column);
/// A time for programs, in UTC: "2026-03-02T08:16:00Z".
std::string time_in_utc(std::int64_t time);

}  // namespace pidforest
