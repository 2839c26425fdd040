// SPDX-License-Identifier: Apache-2.0
// The incidents of a stream of lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "out/incident_lines.h"
#include "out/lines_out.h"
#include "pidforest/incidents.h"

namespace pidforest::cli {

/// News about an incident.
struct IncidentChange {
  TimedIncident incident = {};
  IncidentNews news = IncidentNews::open;
};

class LiveIncidents {
 public:
  explicit LiveIncidents(const IncidentOptions& options) : tracker_(options), options_(options) {}

  /// `metrics` are the columns of the events.
  void begin(std::vector<std::string> metrics) { metrics_ = std::move(metrics); }
  /// Goes on from what `state` gave. Throws BadFile for other bytes, or other options.
  void restore(const std::string& state);
  [[nodiscard]] std::string state() const { return tracker_.to_bytes(); }

  /// Which scores of the next event of a key are anomalies, where `automatic` says so without a budget.
  [[nodiscard]] AnomalyRule rule(std::string_view key, const AnomalyRule& automatic) const {
    return tracker_.rule(key, automatic);
  }
  /// Takes an event; `line` is its number.
  std::vector<IncidentChange> take(const std::string& key, std::optional<std::int64_t> time, std::uint64_t line,
                                   const EventFinding& finding);
  /// The incidents that are open at the end.
  [[nodiscard]] std::vector<IncidentChange> unclosed() const;

  [[nodiscard]] const IncidentTracker& tracker() const { return tracker_; }

 private:
  IncidentTracker tracker_;
  IncidentOptions options_;
  std::vector<std::string> metrics_;
};

/// A key that has had no event since `time`.
IncidentChange silence_of(const std::string& key, std::int64_t time, std::uint64_t line, std::string reason);

}  // namespace pidforest::cli
