// SPDX-License-Identifier: Apache-2.0
// What a stream finds, as a page of metrics for Prometheus.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "out/incident_lines.h"
#include "out/lines_out.h"
#include "pidforest/incidents.h"

namespace pidforest::cli {

class MetricsPage {
 public:
  /// At most `most_series` series are shown; those with the oldest events are left out first.
  explicit MetricsPage(std::size_t most_series) : most_series_(most_series) {}

  /// An event of a series with these labels, at this time in UTC microseconds.
  void add(const std::string& labels, std::int64_t time, const EventFinding& finding);
  void add(const TimedIncident& incident, IncidentNews news);
  void set_source(bool is_up);

  /// In the text format of Prometheus. May be called on any thread.
  [[nodiscard]] std::string text() const;

 private:
  struct Shown {
    std::int64_t time = 0;
    double score = 0;
    bool is_anomaly = false;
    bool is_silent = false;
    std::uint64_t n_events = 0;
    std::uint64_t n_anomalies = 0;
    std::uint64_t n_incidents = 0;
    bool is_incident_open = false;
  };

  mutable std::mutex mutex_;
  std::size_t most_series_;
  std::map<std::string, Shown> series_;
  std::int64_t latest_ = 0;
  bool is_up_ = false;
};

}  // namespace pidforest::cli
