// SPDX-License-Identifier: Apache-2.0
#include "net/metrics_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace pidforest::cli {

namespace {

constexpr double microseconds = 1e6;

std::string head(std::string_view name, std::string_view type, std::string_view help) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace

void MetricsPage::add(const std::string& labels, std::int64_t time, const EventFinding& finding) {
  const std::scoped_lock lock(mutex_);
  Shown& shown = series_[labels];
  shown.time = time;
  shown.score = finding.score.value_or(std::numeric_limits<double>::quiet_NaN());
  shown.is_anomaly = finding.is_anomaly.value_or(false);
  shown.is_silent = false;
  ++shown.n_events;
  if (shown.is_anomaly) ++shown.n_anomalies;
  latest_ = std::max(latest_, time);
  if (series_.size() > most_series_)
    series_.erase(std::ranges::min_element(series_, {}, [](const auto& one) { return one.second.time; }));
}

void MetricsPage::add(const TimedIncident& incident, IncidentNews news) {
  const std::scoped_lock lock(mutex_);
  const auto found = series_.find(incident.key);
  if (found == series_.end()) return;
  if (news == IncidentNews::silent) found->second.is_silent = true;
  if (news == IncidentNews::open) ++found->second.n_incidents;
  if (news != IncidentNews::silent) found->second.is_incident_open = news == IncidentNews::open;
}

void MetricsPage::set_source(bool is_up) {
  const std::scoped_lock lock(mutex_);
  is_up_ = is_up;
}

std::string MetricsPage::text() const {
  const std::scoped_lock lock(mutex_);
  std::string text;
  const auto add = [&](std::string_view name, std::string_view type, std::string_view help, const auto& value_of) {
    text += head(name, type, help);
    for (const auto& [labels, shown] : series_) text += fmt::format("{}{{{}}} {}\n", name, labels, value_of(shown));
  };
  add("pidforest_score", "gauge", "Score of the latest event in bits; NaN while the series warms up.",
      [](const Shown& one) { return std::isnan(one.score) ? "NaN" : fmt::format("{}", one.score); });
  add("pidforest_is_anomaly", "gauge", "1 if the latest event is an anomaly.",
      [](const Shown& one) { return one.is_anomaly ? 1 : 0; });
  add("pidforest_is_silent", "gauge", "1 if the series has had no event for the time of --silent-after.",
      [](const Shown& one) { return one.is_silent ? 1 : 0; });
  add("pidforest_incident_open", "gauge", "1 while an incident of the series is open.",
      [](const Shown& one) { return one.is_incident_open ? 1 : 0; });
  add("pidforest_incidents_total", "counter", "Incidents of the series since the start.",
      [](const Shown& one) { return one.n_incidents; });
  add("pidforest_anomalies_total", "counter", "Anomalies of the series since the start.",
      [](const Shown& one) { return one.n_anomalies; });
  add("pidforest_events_total", "counter", "Events of the series since the start.",
      [](const Shown& one) { return one.n_events; });
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const double seconds = std::chrono::duration<double>(now).count();
  if (latest_ != 0)
    text += head("pidforest_lag_seconds", "gauge", "How old the latest event is.") +
            fmt::format("pidforest_lag_seconds {:.3f}\n", seconds - static_cast<double>(latest_) / microseconds);
  text += head("pidforest_source_up", "gauge", "1 if the last request for samples succeeded.") +
          fmt::format("pidforest_source_up {}\n", is_up_ ? 1 : 0);
  return text;
}

}  // namespace pidforest::cli
