// SPDX-License-Identifier: Apache-2.0
// The flags of incidents in time and of budgets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flags/cli11.h"
#include "pidforest/incidents.h"

namespace pidforest::cli {

struct IncidentFlags {
  std::string cool_down;
  std::optional<double> alerts_per_day;
  bool per_key = false;

  /// Whether any of them is given.
  [[nodiscard]] bool are_given() const { return !cool_down.empty() || alerts_per_day || per_key; }
  /// A cool-down is a span of time if there is a time column, and a number of events otherwise. Throws InvalidOption
  /// for a flag that requires another one.
  [[nodiscard]] IncidentOptions options(const std::string& time, const std::string& by,
                                        const std::optional<double>& min_bits) const;
};

/// Adds the flags to a verb; `flags` must live as long as it does.
void add_incident_flags(CLI::App& verb, IncidentFlags& flags);

/// "cpu, fan": the metrics to blame with at least half of the bits of the first, at most three.
std::vector<std::string> most_blamed(const TimedIncident& incident);

}  // namespace pidforest::cli
