// SPDX-License-Identifier: Apache-2.0
// A stream of lines: reads events, scores and learns each, and writes its line with what was found.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "flags/option_flags.h"
#include "in/lines_in.h"
#include "in/live_reader.h"
#include "in/stream_note.h"
#include "in/table_input.h"
#include "out/lines_out.h"
#include "out/work.h"
#include "pidforest/series.h"
#include "schema/times.h"

namespace pidforest::cli {

/// What the flags of `stream` ask for.
struct StreamRequest {
  TableFlags table = {};
  std::string schema_file;
  LiveColumns columns;
  std::string max_gap;
  StreamOptions sizes;
  OptionFlags options{.defaults = StreamOptions{}.forest};
  std::size_t most_keys = 100;
  std::string output = "-";
  bool json = false;
  bool anomalies_only = false;
  bool excel_safe = false;
  std::optional<double> min_bits;
  std::string state;
  std::uint64_t save_every = 10'000;
  bool replayed = false;
  RunFlags run{.threads = 1};

  [[nodiscard]] StreamOptions stream_options() const;
  [[nodiscard]] std::optional<std::int64_t> gap() const;
  /// The flags that a state belongs to, in addition to the options of the forest.
  [[nodiscard]] std::string setting() const;
};

class LiveStream {
 public:
  /// Begins, or resumes from the state if its file exists. Both arguments must outlive this.
  LiveStream(const StreamRequest& request, Work& work);

  /// Reads all lines. Saves the state when it is interrupted, too. Throws Cancelled after SIGINT.
  void run();

 private:
  void begin();
  void resume();
  void make_reader(const TextFormat& format, const std::string& header);
  void make_streams();
  void make_times();

  void take(std::string_view line);
  /// Scores the lines that the reader has buffered, which were written before.
  void take_buffered();
  EventFinding found_in(std::string_view line, std::uint64_t number);
  EventFinding score(Stream& stream, const Table& row);
  void write(std::string_view line, std::uint64_t number, const EventFinding& finding);
  void complain(std::string_view words);

  void save_now_and_then();
  void save();
  void end();

  const StreamRequest& request_;
  Work& work_;
  LinesIn lines_;
  std::optional<std::int64_t> max_gap_;
  std::unique_ptr<LiveReader> reader_;
  std::optional<schema::TimeReader> times_;
  std::unique_ptr<KeyedStreams> streams_;
  LineForm form_;
  std::unique_ptr<LinesOut> out_;
  Tally tally_;
  std::uint64_t n_unsaved_ = 0;
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
};

}  // namespace pidforest::cli
