// SPDX-License-Identifier: Apache-2.0
// The incidents in time of a table of scored rows.
// Declared in pidforest/incidents.h.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "incidents/kept_budget.h"
#include "incidents/tracker_state.h"
#include "pidforest/error.h"
#include "pidforest/incidents.h"
#include "schema/match.h"
#include "schema/times.h"
#include "table/value.h"

namespace pidforest {

namespace incidents {

namespace {

/// The times and keys of all rows, and their order in time.
struct RowsInTime {
  ColumnSchema time = {};
  std::vector<std::int64_t> times = {};
  std::vector<std::string> keys = {};
  std::vector<std::uint32_t> key_of = {};
  /// Rows by time; of equal times by their place.
  std::vector<std::uint64_t> order = {};
};

RowsInTime read_rows(const Batches& rows, const IncidentColumns& columns) {
  const Table header = rows.header();
  RowsInTime read{.time = columns.time_schema};
  const std::size_t time = schema::place_of(header, columns.time, "the time column");
  if (read.time.name.empty()) read.time = schema::infer_times(rows, columns.time);
  const schema::TimeReader reader(read.time);
  rows.for_each_part(time, [&](const Column& part, std::size_t n) {
    for (std::size_t row = 0; row < n; ++row) read.times.push_back(reader.required_utc(part, row));
  });
  read.key_of.assign(read.times.size(), 0);
  read.keys.assign(1, "");
  if (!columns.by.empty()) {
    read.keys.clear();
    read.key_of.clear();
    std::unordered_map<std::string, std::uint32_t> places;
    const std::size_t by = schema::place_of(header, columns.by, "the series key");
    rows.for_each_part(by, [&](const Column& part, std::size_t n) {
      for (std::size_t row = 0; row < n; ++row) {
        const auto [place, is_new] = places.try_emplace(table::key_of(part, row), read.keys.size());
        if (is_new) read.keys.push_back(place->first);
        read.key_of.push_back(place->second);
      }
    });
  }
  read.order.resize(read.times.size());
  std::iota(read.order.begin(), read.order.end(), std::uint64_t{0});
  std::ranges::stable_sort(read.order, {}, [&](std::uint64_t row) { return read.times[row]; });
  return read;
}

/// The cool-down of each key: by default by the median of all of its steps.
std::vector<std::int64_t> cool_downs_of(const RowsInTime& rows, const IncidentOptions& options) {
  if (options.cool_down) return std::vector(rows.keys.size(), *options.cool_down);
  std::vector<std::vector<std::int64_t>> steps(rows.keys.size());
  std::vector<std::optional<std::int64_t>> last(rows.keys.size());
  for (const std::uint64_t row : rows.order) {
    const std::uint32_t key = rows.key_of[row];
    if (last[key] && rows.times[row] > *last[key]) steps[key].push_back(rows.times[row] - *last[key]);
    last[key] = rows.times[row];
  }
  std::vector<std::int64_t> cool_downs;
  for (std::vector<std::int64_t>& some : steps) cool_downs.push_back(default_cool_down(median_of(some)));
  return cool_downs;
}

/// The anomalies of each key, by its limit or by the rule if there are no limits, joined.
std::vector<TimedIncident> track(const RowsInTime& rows, const Scores& scores, const AnomalyRule& rule,
                                 std::span<const double> limits, std::span<const std::int64_t> cool_downs) {
  std::vector<IncidentTracker> trackers;
  for (const std::int64_t cool_down : cool_downs) trackers.emplace_back(IncidentOptions{.cool_down = cool_down});
  std::vector<TimedIncident> incidents;
  for (const std::uint64_t row : rows.order) {
    const std::uint32_t key = rows.key_of[row];
    const AnomalyRule own = limits.empty() ? rule : AnomalyRule{.min_bits = limits[key]};
    const bool is_anomaly = own.is_anomaly(scores.bits[row], scores.is_suppressed(row)).value_or(false);
    for (TimedIncident& changed : trackers[key].add({.key = rows.keys[key],
                                                     .time = rows.times[row],
                                                     .row = row,
                                                     .bits = scores.bits[row],
                                                     .is_anomaly = is_anomaly}))
      if (!changed.is_open) incidents.push_back(std::move(changed));
  }
  for (const IncidentTracker& tracker : trackers) std::ranges::move(tracker.open(), std::back_inserter(incidents));
  std::ranges::stable_sort(incidents, {}, &TimedIncident::first_row);
  std::ranges::stable_sort(incidents, {}, &TimedIncident::begin);
  for (std::size_t i = 0; i < incidents.size(); ++i) incidents[i].number = i + 1;
  return incidents;
}

/// Sets the blame and the reasons by the findings of the worst rows.
void explain(std::vector<TimedIncident>& incidents, const Findings& found, const Schema& schema) {
  std::vector<std::string> metrics;
  if (schema.windows)
    for (const ColumnSchema& metric : schema.windows->metrics) metrics.push_back(metric.name);
  std::unordered_map<std::uint64_t, const Finding*> by_row;
  for (const Finding& finding : found.rows) by_row[finding.row] = &finding;
  for (TimedIncident& incident : incidents) {
    std::vector<WorstRow> worst;
    for (const std::uint64_t row : incident.worst_rows)
      worst.push_back({.row = row, .metrics = blame_of(by_row.at(row)->columns, schema, metrics)});
    incident.blame = blame_in(worst);
    const Finding& rarest = *by_row.at(incident.worst_rows.front());
    incident.reason = reason_in_words(rarest, found.witness_of(rarest), schema);
  }
}

}  // namespace

}  // namespace incidents

namespace {

std::vector<double> limits_of(const incidents::RowsInTime& rows, const Scores& scores,
                              std::span<const std::int64_t> cool_downs, const IncidentOptions& options) {
  if (!options.alerts_per_day) return {};
  return incidents::limits_in_budget({.bits = scores.bits,
                                      .suppressed = scores.suppressed,
                                      .times = rows.times,
                                      .key_of = rows.key_of,
                                      .order = rows.order,
                                      .cool_downs = cool_downs},
                                     options);
}

}  // namespace

double bits_in_budget(const Scores& scores, const IncidentColumns& columns, const IncidentOptions& options) {
  validate(options);
  if (!options.alerts_per_day || options.is_budget_per_key)
    throw InvalidOption("the lowest score within a budget requires the alerts per day of all keys together.");
  const incidents::RowsInTime rows = incidents::read_rows(scores.rows, columns);
  return limits_of(rows, scores, incidents::cool_downs_of(rows, options), options).front();
}

TimedFindings find_timed_incidents(Explainer& explainer, const Scores& scores, const IncidentColumns& columns,
                                   const IncidentOptions& options, std::optional<double> min_bits, const Run& run) {
  validate(options);
  const incidents::RowsInTime rows = incidents::read_rows(scores.rows, columns);
  TimedFindings all{.time = rows.time};
  const std::vector<std::int64_t> cool_downs = incidents::cool_downs_of(rows, options);
  const std::vector<double> limits = limits_of(rows, scores, cool_downs, options);
  if (!limits.empty()) min_bits = std::ranges::min(limits);
  const AnomalyRule rule{.threshold = explainer.model().threshold(), .min_bits = min_bits};
  all.incidents = incidents::track(rows, scores, rule, limits, cool_downs);
  std::ranges::stable_sort(all.incidents, std::ranges::greater{}, &TimedIncident::bits);
  std::vector<std::uint64_t> worst;
  for (const TimedIncident& incident : all.incidents) {
    all.n_anomalies += incident.n_anomalies;
    worst.insert(worst.end(), incident.worst_rows.begin(), incident.worst_rows.end());
  }
  all.found = find_anomalies(explainer, scores, {.min_bits = min_bits, .rows = std::move(worst)}, run);
  incidents::explain(all.incidents, all.found, explainer.model().schema());
  return all;
}

}  // namespace pidforest
