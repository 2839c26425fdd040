// SPDX-License-Identifier: Apache-2.0
// A stream of lines: reads events, scores and learns each, and writes its line with what was found.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "flags/incident_flags.h"
#include "flags/option_flags.h"
#include "in/live_reader.h"
#include "in/table_input.h"
#include "out/work.h"
#include "pidforest/series.h"

namespace pidforest::cli {

/// What the flags of `stream` ask for.
struct StreamRequest {
  TableFlags table = {};
  std::string schema_file;
  std::string history;
  LiveColumns columns;
  std::string max_gap;
  /// Empty: keys that fall silent are not reported.
  std::string silent_after;
  StreamOptions sizes;
  std::string views{name_of(StreamOptions{}.views)};
  OptionFlags options{.defaults = StreamOptions{}.forest};
  std::size_t most_keys = 100;
  std::string output = "-";
  bool json = false;
  bool every_event = false;
  bool anomalies_only = false;
  IncidentFlags incidents;
  bool excel_safe = false;
  std::optional<double> min_bits;
  bool fail_on_anomaly = false;
  std::string state;
  std::uint64_t save_every = 10'000;
  bool replayed = false;
  /// Waits for lines that are appended to the file, through its rotations.
  bool follow = false;
  /// With `follow`: a span without lines after which the stream ends.
  std::string until_idle;
  RunFlags run{.threads = 1};
  /// All declared flags with their values.
  std::map<std::string, std::string> flags;

  [[nodiscard]] StreamOptions stream_options() const;
  [[nodiscard]] IncidentOptions incident_options() const;
  /// Whether lines are written about events, and not about incidents.
  [[nodiscard]] bool writes_events() const { return every_event || anomalies_only; }
  [[nodiscard]] std::optional<std::int64_t> gap() const;
  [[nodiscard]] std::optional<std::int64_t> silence() const;
};

/// Reads all lines: scores and learns each, and writes it with what was found. Begins, or resumes from the state if its
/// file exists. Saves the state when it is interrupted, too. Throws Cancelled after SIGINT, and AnomaliesFound if that
/// is asked for.
void run_stream(const StreamRequest& request, Work& work);

}  // namespace pidforest::cli
