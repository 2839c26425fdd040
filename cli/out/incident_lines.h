// SPDX-License-Identifier: Apache-2.0
// The lines of a stream about its incidents.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pidforest/incidents.h"
#include "pidforest/schema.h"

namespace pidforest::cli {

/// Why there is a line about an incident.
enum class IncidentNews : std::uint8_t {
  open,
  closed,
  unclosed,  ///< the input ends, and no state is kept
  silent     ///< a key has fallen silent
};

std::string_view name_of(IncidentNews news);

struct IncidentForm {
  bool is_json = false;
  char delimiter = ',';
  bool excel_safe = false;
  /// The time column; without one, events are called by the numbers of their lines.
  std::optional<ColumnSchema> time = {};
  bool has_keys = false;

  /// The header row; empty if lines are JSON.
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string line(const TimedIncident& incident, IncidentNews news) const;
  /// An object of JSON, without a line end.
  [[nodiscard]] std::string json(const TimedIncident& incident, IncidentNews news) const;
  /// As `json`, after a member `text` for people.
  [[nodiscard]] std::string message(const TimedIncident& incident, IncidentNews news) const;
};

}  // namespace pidforest::cli
