// SPDX-License-Identifier: Apache-2.0
#include "report/incident_lines.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>

#include "values/excerpt.h"
#include "values/span_words.h"
#include "values/time.h"

namespace pidforest::report {

namespace {

constexpr std::size_t most_blamed = 3;

double unix_seconds(std::int64_t microseconds) {
  return static_cast<double>(microseconds) / static_cast<double>(values::microseconds_per_second);
}

/// The place of a row among the listed ones; `none` if it is not listed.
std::size_t place_of_row(const Listing& listing, std::uint64_t row) {
  const auto found = std::ranges::find(listing.shown.rows, row, &Finding::row);
  return found == listing.shown.rows.end() ? ReportData::none
                                           : static_cast<std::size_t>(found - listing.shown.rows.begin());
}

/// A duration, rounded: to minutes from two minutes on, to hours from two days on.
std::string length_words(std::int64_t microseconds) {
  constexpr std::int64_t few = 2;
  std::int64_t unit = 1;
  if (microseconds >= few * values::microseconds_per_minute) unit = values::microseconds_per_minute;
  if (microseconds >= few * values::microseconds_per_day) unit = values::microseconds_per_hour;
  const std::int64_t rounded = (microseconds + unit / 2) / unit * unit;
  return rounded > 0 ? values::span_words(rounded) : "";
}

/// The most bits first, without what gives hardly any. Values are those of the row's own columns.
std::vector<ReportData::Blame> blame_lines(std::vector<Blame> blame, const Finding& finding, const Schema& schema) {
  constexpr double least_share = 0.1;
  std::ranges::stable_sort(blame, std::ranges::greater{}, &Blame::bits);
  std::vector<ReportData::Blame> lines;
  for (const Blame& one : std::span(blame).first(std::min(most_blamed, blame.size()))) {
    if (one.bits <= least_share * std::max(1.0, blame.front().bits)) break;
    const auto own = std::ranges::find_if(
        finding.columns, [&](const ColumnBits& column) { return schema.columns[column.column].name == one.metric; });
    lines.push_back({.name = values::excerpt(one.metric),
                     .bits = one.bits,
                     .value = own == finding.columns.end() ? "" : own->value});
  }
  return lines;
}

}  // namespace

std::vector<ReportData::Incident> incidents_by_reason(const Listing& listing, const Schema& schema,
                                                      const RowNames& names) {
  const std::vector<Incident>& incidents = listing.all.incidents;
  std::vector<ReportData::Incident> lines;
  for (std::size_t i = 0; i < std::min(most_incidents, incidents.size()); ++i) {
    const Witness& witness = listing.all.witness_of(incidents[i]);
    const bool has_conditions = !witness.conditions.empty();
    ReportData::Incident& one = lines.emplace_back();
    one.reason = has_conditions ? to_words(witness.conditions, schema) : "no shared reason";
    if (has_conditions) one.counts = counts_in_words(witness);
    one.n_anomalies = incidents[i].rows.size();
    one.bits = incidents[i].bits;
    one.row = place_of_row(listing, incidents[i].rows.front());
    std::tie(one.first_time, one.last_time) = names.time_range(incidents[i].rows);
    if (one.row == ReportData::none) continue;
    const Finding& rarest = listing.shown.rows[one.row];
    one.blame = blame_lines(blame_of(rarest.columns, schema, {}), rarest, schema);
  }
  return lines;
}

std::vector<ReportData::Incident> incidents_in_time(const TimedFindings& timed, const Listing& listing,
                                                    const Schema& schema, const RowNames& names) {
  std::vector<ReportData::Incident> lines;
  for (const TimedIncident& incident :
       std::span(timed.incidents).first(std::min(most_incidents, timed.incidents.size()))) {
    ReportData::Incident& one = lines.emplace_back();
    one.n_anomalies = incident.n_anomalies;
    one.bits = incident.bits;
    one.first_time = names.text_of(incident.begin);
    one.last_time = names.text_of(incident.end);
    one.from = unix_seconds(incident.begin);
    one.to = unix_seconds(incident.end);
    one.length = length_words(incident.end - incident.begin);
    one.worst_time = names.text_of(incident.worst);
    one.key = values::excerpt(incident.key);
    one.is_open = incident.is_open;
    one.row = place_of_row(listing, incident.worst_rows.front());
    one.reason = incident.reason;
    if (one.row == ReportData::none) continue;
    const Finding& rarest = listing.shown.rows[one.row];
    const ReasonWords words = reason_words(rarest, listing.shown.witness_of(rarest), schema);
    one.reason = words.values;
    one.counts = words.evidence;
    one.blame = blame_lines(incident.blame, rarest, schema);
  }
  return lines;
}

std::vector<ReportData::Span> spans_of_incidents(const TimedFindings& timed, const std::string& key,
                                                 const Listing& listing) {
  std::vector<ReportData::Span> spans;
  for (const TimedIncident& incident : timed.incidents)
    if (key.empty() || shown_key(incident.key) == key)
      spans.push_back({.from = unix_seconds(incident.begin),
                       .to = unix_seconds(incident.end),
                       .n_anomalies = incident.n_anomalies,
                       .bits = incident.bits,
                       .row = place_of_row(listing, incident.worst_rows.front())});
  std::ranges::stable_sort(spans, {}, &ReportData::Span::from);
  return spans;
}

std::string shown_key(const std::string& key) { return key.empty() ? "missing" : values::excerpt(key); }

}  // namespace pidforest::report
