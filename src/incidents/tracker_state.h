// SPDX-License-Identifier: Apache-2.0
// What a tracker knows of each key, and of all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "incidents/alert_rates.h"
#include "incidents/usual_step.h"
#include "pidforest/incidents.h"

namespace pidforest::incidents {

/// The anomalies that explain an incident.
inline constexpr std::size_t n_worst_rows = 8;
/// The metrics of each that are kept.
inline constexpr std::size_t n_blamed = 10;

struct WorstRow {
  std::uint64_t row = 0;
  double bits = 0;
  std::vector<Blame> metrics = {};

  bool operator==(const WorstRow&) const = default;
};

/// Each metric with its largest bits in one of the rows; the most bits first, and at most `n_blamed`.
std::vector<Blame> blame_in(const std::vector<WorstRow>& rows);

struct OpenIncident {
  TimedIncident so_far = {};
  /// Longest time without an anomaly, after the last one, that does not close it.
  std::int64_t cool_down = 0;
  std::uint64_t n_events_since_begin = 0;
  std::vector<WorstRow> worst = {};

  /// With the blame of its worst rows.
  [[nodiscard]] TimedIncident as_it_is() const;
};

/// A budget: the rates, and the times at which the last incidents opened.
struct Budget {
  AlertRates rates;
  std::deque<std::int64_t> openings = {};
};

struct TrackedKey {
  std::uint64_t last_used = 0;
  std::uint64_t n_events = 0;
  std::int64_t last_time = 0;
  UsualStep step = {};
  std::optional<OpenIncident> open = {};
  /// When a score last reached each level; only with a budget. Levels that were not reached yet are beyond the end.
  std::vector<std::int64_t> last_reached = {};
  /// If each key has its own.
  std::optional<Budget> budget = {};
};

}  // namespace pidforest::incidents

namespace pidforest {

struct [[gnu::visibility("hidden")]] IncidentTracker::State {
  IncidentOptions options = {};
  std::uint64_t n_opened = 0;
  std::uint64_t n_over_budget = 0;
  /// The events of all keys.
  std::uint64_t n_events = 0;
  std::map<std::string, incidents::TrackedKey, std::less<>> keys = {};
  /// The names of the keys by their last events.
  std::map<std::uint64_t, std::string> by_use = {};
  /// If all keys share one.
  std::optional<incidents::Budget> budget = {};
};

}  // namespace pidforest

namespace pidforest::incidents {

/// Reaches the private parts of a tracker.
struct TrackerAccess {
  using State = IncidentTracker::State;
};

using TrackerState = TrackerAccess::State;

}  // namespace pidforest::incidents
