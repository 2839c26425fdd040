// SPDX-License-Identifier: Apache-2.0
#include "verbs/live_incidents.h"

#include <limits>
#include <utility>

#include "pidforest/error.h"

namespace pidforest::cli {

void LiveIncidents::restore(const std::string& state) {
  tracker_ = IncidentTracker::from_bytes(state, options_.most_keys);
  if (tracker_.options() != options_) throw BadFile("the options of its incidents differ from its flags.");
}

std::vector<IncidentChange> LiveIncidents::take(const std::string& key, std::optional<std::int64_t> time,
                                                std::uint64_t line, const EventFinding& finding) {
  std::vector<Blame> metrics;
  if (finding.reasons) metrics = blame_of(finding.reasons->columns, *finding.schema, metrics_);
  std::vector<IncidentChange> changes;
  for (TimedIncident& incident : tracker_.add({.key = key,
                                               .time = time,
                                               .row = line,
                                               .bits = finding.score.value_or(std::numeric_limits<double>::quiet_NaN()),
                                               .is_anomaly = finding.is_anomaly.value_or(false),
                                               .metrics = metrics,
                                               .reason = finding.reason})) {
    const IncidentNews news = incident.is_open ? IncidentNews::open : IncidentNews::closed;
    changes.push_back({.incident = std::move(incident), .news = news});
  }
  return changes;
}

std::vector<IncidentChange> LiveIncidents::unclosed() const {
  std::vector<IncidentChange> changes;
  for (TimedIncident& incident : tracker_.open())
    changes.push_back({.incident = std::move(incident), .news = IncidentNews::unclosed});
  return changes;
}

IncidentChange silence_of(const std::string& key, std::int64_t time, std::uint64_t line, std::string reason) {
  return {.incident = {.key = key,
                       .begin = time,
                       .end = time,
                       .worst = time,
                       .first_row = line,
                       .last_row = line,
                       .reason = std::move(reason)},
          .news = IncidentNews::silent};
}

}  // namespace pidforest::cli
