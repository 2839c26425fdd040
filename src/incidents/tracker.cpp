// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/incidents.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "incidents/tracker_state.h"
#include "pidforest/error.h"
#include "values/time.h"

namespace pidforest {

namespace incidents {

namespace {

constexpr double most_alerts_per_day = 10'000;

std::int64_t cool_down_of(const IncidentOptions& options, const TrackedKey& key, bool has_times) {
  if (options.cool_down) return *options.cool_down;
  return has_times ? default_cool_down(key.step.median()) : steps_to_cool_down;
}

/// Whether `now` is more than the cool-down after `last`, or before it. The difference may exceed the range of signed
/// numbers.
bool is_apart(std::int64_t last, std::int64_t now, std::int64_t cool_down) {
  if (now < last) return true;
  return static_cast<std::uint64_t>(now) - static_cast<std::uint64_t>(last) > static_cast<std::uint64_t>(cool_down);
}

/// Counts an event for the budget.
void count_event(Budget& budget, TrackedKey& key, double bits, std::int64_t time, std::int64_t cool_down) {
  budget.rates.pass(time);
  const std::size_t reached = levels_reached(bits);
  // The higher a level, the longer ago it was reached: an incident opens on the levels from one of them on.
  std::size_t first_opened = std::min(reached, key.last_reached.size());
  while (first_opened > 0 && is_apart(key.last_reached[first_opened - 1], time, cool_down)) --first_opened;
  budget.rates.count(reached, first_opened);
  if (key.last_reached.size() < reached) key.last_reached.resize(reached);
  std::fill_n(key.last_reached.begin(), reached, time);
}

/// Whether one more incident may open now. Forgets openings that are long ago.
bool may_open(Budget& budget, double alerts_per_day, std::int64_t time) {
  const double days = std::max(1.0, 1 / alerts_per_day);
  const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(alerts_per_day)));
  const auto period = static_cast<std::int64_t>(days * static_cast<double>(values::microseconds_per_day));
  while (!budget.openings.empty() && is_apart(budget.openings.front(), time, period)) budget.openings.pop_front();
  return budget.openings.size() < most;
}

void add_anomaly(OpenIncident& open, const TrackedEvent& event, std::int64_t time) {
  TimedIncident& so_far = open.so_far;
  const bool is_first = so_far.n_anomalies == 0;
  if (is_first) {
    so_far.begin = time;
    so_far.first_row = event.row;
  }
  if (is_first || event.bits > so_far.bits) {
    so_far.worst = time;
    so_far.bits = event.bits;
    so_far.reason = event.reason;
  }
  so_far.end = time;
  so_far.last_row = event.row;
  so_far.n_events = open.n_events_since_begin;
  ++so_far.n_anomalies;

  const auto rarer = [](double bits, const WorstRow& row) { return bits > row.bits; };
  const auto place = std::upper_bound(open.worst.begin(), open.worst.end(), event.bits, rarer);
  if (static_cast<std::size_t>(place - open.worst.begin()) >= n_worst_rows) return;
  WorstRow row{.row = event.row, .bits = event.bits, .metrics = {event.metrics.begin(), event.metrics.end()}};
  std::ranges::stable_sort(row.metrics, std::ranges::greater{}, &Blame::bits);
  if (row.metrics.size() > n_blamed) row.metrics.resize(n_blamed);
  open.worst.insert(place, std::move(row));
  if (open.worst.size() > n_worst_rows) open.worst.pop_back();
}

TimedIncident closed(TrackedKey& key) {
  TimedIncident incident = key.open->as_it_is();
  incident.is_open = false;
  key.open.reset();
  return incident;
}

/// The key of the next event; it is the one that was used last.
TrackedKey& use(TrackerState& all, std::string_view name) {
  auto found = all.keys.find(name);
  if (found == all.keys.end())
    found = all.keys.try_emplace(std::string(name)).first;
  else
    all.by_use.erase(found->second.last_used);
  found->second.last_used = all.n_events++;
  all.by_use.emplace(found->second.last_used, name);
  return found->second;
}

/// Forgets keys beyond the most. Returns the incidents that close.
std::vector<TimedIncident> forget_oldest(TrackerState& all) {
  std::vector<TimedIncident> incidents;
  while (all.keys.size() > all.options.most_keys) {
    const auto oldest = all.keys.find(all.by_use.begin()->second);
    if (oldest->second.open) incidents.push_back(closed(oldest->second));
    all.keys.erase(oldest);
    all.by_use.erase(all.by_use.begin());
  }
  return incidents;
}

}  // namespace

std::vector<Blame> blame_in(const std::vector<WorstRow>& rows) {
  std::vector<Blame> blame;
  for (const WorstRow& row : rows)
    for (const Blame& one : row.metrics) {
      if (one.bits <= 0) continue;
      const auto found = std::ranges::find(blame, one.metric, &Blame::metric);
      if (found == blame.end())
        blame.push_back(one);
      else
        found->bits = std::max(found->bits, one.bits);
    }
  std::ranges::stable_sort(blame, std::ranges::greater{}, &Blame::bits);
  if (blame.size() > n_blamed) blame.resize(n_blamed);
  return blame;
}

TimedIncident OpenIncident::as_it_is() const {
  TimedIncident incident = so_far;
  for (const WorstRow& row : worst) incident.worst_rows.push_back(row.row);
  incident.blame = blame_in(worst);
  return incident;
}

}  // namespace incidents

using incidents::Budget;
using incidents::TrackedKey;

void validate(const IncidentOptions& options) {
  if (options.cool_down && *options.cool_down < 0)
    throw InvalidOption(fmt::format("the cool-down must not be negative; got {}.", *options.cool_down));
  if (options.most_keys < 1)
    throw InvalidOption(fmt::format("the maximum number of keys must be at least 1; got {}.", options.most_keys));
  const double budget = options.alerts_per_day.value_or(1);
  if (!(budget >= 0.001 && budget <= incidents::most_alerts_per_day))
    throw InvalidOption(
        fmt::format("the alerts per day must be between 0.001 (one in about three years) and 10000; got {}.", budget));
  if (options.is_budget_per_key && !options.alerts_per_day)
    throw InvalidOption("a budget per key requires the alerts per day.");
}

IncidentTracker::IncidentTracker(const IncidentOptions& options) : state_(std::make_unique<State>()) {
  validate(options);
  state_->options = options;
  if (options.alerts_per_day && !options.is_budget_per_key)
    state_->budget = Budget{.rates = incidents::AlertRates(*options.alerts_per_day)};
}

IncidentTracker::~IncidentTracker() = default;
IncidentTracker::IncidentTracker(IncidentTracker&&) noexcept = default;
IncidentTracker& IncidentTracker::operator=(IncidentTracker&&) noexcept = default;

AnomalyRule IncidentTracker::rule(std::string_view key, const AnomalyRule& automatic) const {
  if (!state_->options.alerts_per_day) return automatic;
  const Budget* budget = state_->budget ? &*state_->budget : nullptr;
  if (const auto found = state_->keys.find(key); found != state_->keys.end() && found->second.budget)
    budget = &*found->second.budget;
  const std::optional<double> limit = budget ? budget->rates.limit() : std::nullopt;
  if (!limit) return automatic;
  AnomalyRule rule{.min_bits = limit};
  if (budget->rates.is_first_day() && automatic.threshold)
    rule.min_bits = std::max(*limit, std::nextafter(*automatic.threshold, std::numeric_limits<double>::infinity()));
  return rule;
}

std::vector<TimedIncident> IncidentTracker::add(const TrackedEvent& event) {
  const IncidentOptions& options = state_->options;
  if (options.alerts_per_day && !event.time)
    throw InvalidInput("a budget of alerts per day requires events with times.");
  TrackedKey& key = incidents::use(*state_, event.key);
  const std::int64_t time = event.time.value_or(static_cast<std::int64_t>(key.n_events));
  if (event.time && key.n_events > 0 && time > key.last_time &&
      !incidents::is_apart(key.last_time, time, std::numeric_limits<std::int64_t>::max()))
    key.step.add(time - key.last_time);
  key.last_time = time;
  ++key.n_events;

  std::vector<TimedIncident> changes = incidents::forget_oldest(*state_);
  if (key.open) {
    ++key.open->n_events_since_begin;
    if (incidents::is_apart(key.open->so_far.end, time, key.open->cool_down)) changes.push_back(incidents::closed(key));
  }
  if (std::isnan(event.bits)) return changes;
  const std::int64_t cool_down = incidents::cool_down_of(options, key, event.time.has_value());
  Budget* budget = state_->budget ? &*state_->budget : nullptr;
  if (options.is_budget_per_key) {
    if (!key.budget) key.budget = Budget{.rates = incidents::AlertRates(*options.alerts_per_day)};
    budget = &*key.budget;
  }
  if (budget != nullptr) incidents::count_event(*budget, key, event.bits, time, cool_down);
  if (!event.is_anomaly) return changes;
  const bool is_new = !key.open;
  if (is_new) {
    if (budget != nullptr && !incidents::may_open(*budget, *options.alerts_per_day, time)) {
      ++state_->n_over_budget;
      return changes;
    }
    if (budget != nullptr) {
      budget->openings.push_back(time);
      budget->rates.open();
    }
    key.open.emplace();
    key.open->so_far.number = ++state_->n_opened;
    key.open->so_far.key = event.key;
    key.open->n_events_since_begin = 1;
  }
  key.open->cool_down = cool_down;
  incidents::add_anomaly(*key.open, event, time);
  if (is_new) changes.push_back(key.open->as_it_is());
  return changes;
}

std::vector<TimedIncident> IncidentTracker::open() const {
  std::vector<TimedIncident> incidents;
  for (const auto& [name, key] : state_->keys)
    if (key.open) incidents.push_back(key.open->as_it_is());
  std::ranges::sort(incidents, {}, &TimedIncident::number);
  return incidents;
}

std::uint64_t IncidentTracker::n_opened() const { return state_->n_opened; }
std::uint64_t IncidentTracker::n_over_budget() const { return state_->n_over_budget; }
const IncidentOptions& IncidentTracker::options() const { return state_->options; }

}  // namespace pidforest
