// SPDX-License-Identifier: Apache-2.0
// The note that a state file of `pidforest stream` has in addition to the streams: how far input and output went.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "in/line_source.h"
#include "in/live_reader.h"

namespace pidforest::cli {

/// How many lines of each kind there were.
struct Tally {
  std::uint64_t n_events = 0;
  std::uint64_t n_anomalies = 0;
  std::uint64_t n_late = 0;
  std::uint64_t n_duplicates = 0;
  std::uint64_t n_bad = 0;
  /// How often a key fell silent.
  std::uint64_t n_silent = 0;
};

/// The last event of a key, for a stream that reports keys that fall silent.
struct LastHeard {
  std::string key = {};
  /// UTC microseconds, and the time as the event has it.
  std::int64_t time = 0;
  std::string time_text = {};
  /// Whether its silence was reported.
  bool is_silent = false;
};

struct StreamNote {
  /// The flags that the state belongs to, with their values.
  std::map<std::string, std::string> setting = {};
  LinesPosition position = {};
  /// The bytes of the output.
  std::uint64_t n_written = 0;
  Tally tally = {};
  /// The state of the incidents.
  std::string incidents = {};
  std::vector<LastHeard> heard = {};
  /// With --offsets, the last offset of each partition, and the number of lines that were taken.
  std::map<std::string, std::uint64_t> offsets = {};
  std::uint64_t n_taken = 0;
  /// None before the end of the header row.
  std::optional<KnownColumns> columns = {};
};

std::string to_text(const StreamNote& note);
/// Throws BadFile, which names the state file `path`, if the text is not such a note.
StreamNote read_note(const std::string& text, const std::string& path);

}  // namespace pidforest::cli
