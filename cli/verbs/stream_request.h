// SPDX-License-Identifier: Apache-2.0
// The flags of `stream` and what they ask for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "flags/incident_flags.h"
#include "flags/option_flags.h"
#include "in/line_source.h"
#include "in/live_reader.h"
#include "in/table_input.h"
#include "out/lines_out.h"
#include "pidforest/series.h"
#include "verbs/live_incidents.h"

namespace pidforest::cli {

/// Told what a stream finds, beside its output.
class StreamWatcher {
 public:
  StreamWatcher() = default;
  virtual ~StreamWatcher() = default;
  StreamWatcher(const StreamWatcher&) = delete;
  StreamWatcher& operator=(const StreamWatcher&) = delete;
  StreamWatcher(StreamWatcher&&) = delete;
  StreamWatcher& operator=(StreamWatcher&&) = delete;

  /// `time` is in UTC microseconds.
  virtual void take(const std::string& key, std::int64_t time, const EventFinding& finding) = 0;
  /// An incident opens or closes, or a key falls silent.
  virtual void take(const IncidentChange& change) = 0;
};

/// What the flags of `stream` ask for.
struct StreamRequest {
  TableFlags table = {};
  std::string schema_file;
  /// The history: a file, Parquet files or a query. An empty file and query: none.
  TableFlags past = {};
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
  bool excel_safe = false;
  bool fail_on_anomaly = false;
  bool replayed = false;
  /// Waits for lines that are appended to the file, through its rotations.
  bool follow = false;
  IncidentFlags incidents;
  std::optional<double> min_bits;
  /// The URL of a webhook, or @ and a file with it; empty for none.
  std::string notify;
  std::string state;
  std::uint64_t save_every = 10'000;
  /// The columns of the partition and of the offset; empty without --offsets.
  std::vector<std::string> offsets;
  /// With `follow`: a span without lines after which the stream ends.
  std::string until_idle;
  /// Lines in place of those of `table`, and in place of those of `past`; none: files.
  std::function<std::unique_ptr<LineSource>()> source;
  std::function<std::unique_ptr<LineSource>()> past_source;
  /// Told of each event; the stream must have times.
  StreamWatcher* watcher = nullptr;
  RunFlags run{.threads = 1};
  /// All declared flags with their values.
  std::map<std::string, std::string> flags;

  [[nodiscard]] bool has_history() const { return past_source || !past.file.empty() || past.is_query(); }
  /// " 'past.csv'", or nothing for a history that is in no file.
  [[nodiscard]] std::string name_of_history() const;
  [[nodiscard]] StreamOptions stream_options() const;
  [[nodiscard]] IncidentOptions incident_options() const;
  /// Whether lines are written about events, and not about incidents.
  [[nodiscard]] bool writes_events() const { return every_event || anomalies_only; }
  [[nodiscard]] std::optional<std::int64_t> gap() const;
  [[nodiscard]] std::optional<std::int64_t> silence() const;
};

}  // namespace pidforest::cli
