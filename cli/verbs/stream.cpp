// SPDX-License-Identifier: Apache-2.0
// The verb `stream`: lines in, the same lines with score, flag and reason out, as they come.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flags/labels.h"
#include "flags/min_bits_flag.h"
#include "flags/option_flags.h"
#include "flags/span.h"
#include "in/lines_in.h"
#include "in/live_reader.h"
#include "in/schema_file.h"
#include "in/table_input.h"
#include "in/training.h"
#include "out/interrupt.h"
#include "out/lines_out.h"
#include "out/work.h"
#include "pidforest/error.h"
#include "pidforest/series.h"
#include "pidforest/times.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  TableFlags table = {};
  std::string schema_file;
  LiveColumns columns;
  std::string max_gap;
  StreamOptions sizes;
  OptionFlags options{.defaults = StreamOptions{}.forest};
  std::size_t most_keys = 100;
  std::string output = "-";
  bool anomalies_only = false;
  bool excel_safe = false;
  std::optional<double> min_bits;
  std::string state;
  std::uint64_t save_every = 10'000;
  bool replayed = false;
  RunFlags run{.threads = 1};

  [[nodiscard]] StreamOptions stream_options() const {
    StreamOptions all = sizes;
    all.forest = options.options();
    return all;
  }
  [[nodiscard]] std::optional<std::int64_t> gap() const {
    return max_gap.empty() ? std::nullopt : std::optional(parse_span("--max-gap", max_gap));
  }
  /// What decides what a line is worth besides the options of the forest: a state is of one such setting.
  [[nodiscard]] std::string setting() const {
    return fmt::format("--time '{}' --by '{}' --max-gap '{}'{}{}", columns.time, columns.by, max_gap,
                       columns.calendar ? " --calendar" : "",
                       table.text_format().form == TextFormat::Form::csv ? "" : " --format jsonl");
  }
};

void check(const Request& request) {
  const Stream checked(request.stream_options());
  (void)request.gap();
  const LiveColumns& columns = request.columns;
  if (columns.calendar && columns.time.empty())
    throw InvalidOption("--calendar needs --time, the column to take it from.");
  if (!request.max_gap.empty() && columns.time.empty())
    throw InvalidOption("--max-gap needs --time, as gaps are found by it.");
  if (!columns.by.empty() && columns.by == columns.time)
    throw InvalidOption(fmt::format("--time and --by must name different columns; both name '{}'.", columns.by));
  if (request.replayed && request.state.empty())
    throw InvalidOption("--replayed needs --state, which says what to skip.");
  if (request.table.file == "-" && request.schema_file == "-")
    throw InvalidOption("FILE and --schema must not both be the standard input; save one of them to a file.");
}

/// Stands for all that a line says: FNV-1a.
std::uint64_t fingerprint_of(std::string_view line) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : line) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

/// What became of the lines so far.
struct Tally {
  std::uint64_t n_events = 0;
  std::uint64_t n_anomalies = 0;
  std::uint64_t n_late = 0;
  std::uint64_t n_duplicates = 0;
  std::uint64_t n_bad = 0;
};

class LiveStream {
 public:
  LiveStream(const Request& request, Work& work)
      : request_(request), work_(work), lines_(request.table.file, work.run()), max_gap_(request.gap()) {
    if (!request.state.empty() && std::filesystem::exists(request.state))
      resume();
    else
      begin();
  }

  void run() {
    try {
      while (const std::optional<std::string_view> line = lines_.next()) {
        take(*line);
        save_now_and_then();
      }
    } catch (const Cancelled&) {
      save();
      if (!was_terminated()) throw;
    }
    end();
  }

 private:
  void begin() {
    std::string header;
    const TextFormat format = request_.table.text_format();
    if (format.form == TextFormat::Form::csv) {
      const auto first = lines_.next();
      if (!first) throw InvalidInput("a CSV stream must begin with a header row of column names; it is empty.");
      header = first->starts_with("\xEF\xBB\xBF") ? first->substr(3) : *first;
    }
    make_reader(format, header);
    out_ = std::make_unique<LinesOut>(request_.output, 0);
    if (!form_.is_json) out_->write(form_.header(header));
    if (reader_->is_ready()) make_streams();
  }

  void resume() {
    auto [streams, note] = KeyedStreams::load(request_.state, request_.most_keys);
    const nlohmann::json known = read_note(note);
    if (known.at("setting") != request_.setting() || streams.options() != request_.stream_options())
      throw InvalidOption(fmt::format(
          "the state file '{}' is of a stream with other options. Give those that it was made with ({}), or "
          "another file.",
          request_.state, known.at("setting").get<std::string>()));
    const auto n_bytes = known.at("n_bytes").get<std::uint64_t>();
    const auto n_lines = known.at("n_lines").get<std::uint64_t>();
    const TextFormat format = request_.table.text_format();
    make_reader(format, known.at("columns").at("header").get<std::string>());
    reader_->restore(known.at("columns"));
    streams_ = std::make_unique<KeyedStreams>(std::move(streams));
    tally_ = {.n_events = known.at("n_events").get<std::uint64_t>(),
              .n_anomalies = known.at("n_anomalies").get<std::uint64_t>(),
              .n_late = known.at("n_late").get<std::uint64_t>(),
              .n_duplicates = known.at("n_duplicates").get<std::uint64_t>(),
              .n_bad = known.at("n_bad").get<std::uint64_t>()};
    make_times();
    out_ = std::make_unique<LinesOut>(request_.output,
                                      request_.output == "-" ? 0 : known.at("n_written").get<std::uint64_t>());
    if (request_.table.file == "-" && !request_.replayed)
      lines_.begin_at(n_bytes, n_lines);
    else
      lines_.skip(n_bytes, n_lines);
    work_.say(fmt::format("goes on after line {} (byte {}) of the input", n_lines, n_bytes));
  }

  void make_reader(const TextFormat& format, const std::string& header) {
    reader_ = std::make_unique<LiveReader>(format, request_.columns, header);
    form_ = {.is_json = format.form == TextFormat::Form::json_lines,
             .delimiter = reader_->delimiter(),
             .excel_safe = request_.excel_safe};
  }

  [[nodiscard]] nlohmann::json read_note(const std::string& note) const {
    try {
      return nlohmann::json::parse(note);
    } catch (const nlohmann::json::exception&) {
      throw BadFile(fmt::format("state file '{}': it is not of `pidforest stream`.", request_.state));
    }
  }

  void make_streams() {
    if (request_.schema_file.empty())
      for (const std::string& note : notes_of(reader_->features(), request_.table.file)) work_.say(note);
    streams_ = std::make_unique<KeyedStreams>(request_.stream_options(), reader_->features(), request_.most_keys);
    make_times();
  }

  void make_times() {
    if (reader_->times()) times_.emplace(*reader_->times());
  }

  void take(std::string_view line) {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line == reader_->header()) return;
    try {
      if (line.size() > LinesIn::longest_line)
        throw InvalidInput(
            fmt::format("line {}: must be at most {} bytes long.", lines_.n_lines(), LinesIn::longest_line));
      if (reader_->is_ready())
        write(line, found_in(line, lines_.n_lines()));
      else
        hold(line);
    } catch (const InvalidInput& error) {
      complain(error.what());
    }
  }

  /// Before it is known what columns hold: the line goes out as it is, and is learned when it is known.
  void hold(std::string_view line) {
    reader_->check_form(line, lines_.n_lines());
    held_.emplace_back(line);
    held_numbers_.push_back(lines_.n_lines());
    write(line, {.reason = "warming up"});
    if (held_.size() < request_.sizes.warm_up) return;
    judge();
  }

  void judge() {
    try {
      reader_->judge(held_);
      make_streams();
    } catch (const InvalidInput& error) {  // no later line can mend it
      throw InvalidOption(fmt::format("the first {} lines: {}", held_.size(), error.what()));
    }
    for (std::size_t i = 0; i < held_.size(); ++i) {
      try {
        (void)found_in(held_[i], held_numbers_[i]);
      } catch (const InvalidInput& error) {
        complain(error.what());
      }
    }
    held_ = {};
    held_numbers_ = {};
  }

  Verdict found_in(std::string_view line, std::uint64_t number) {
    const Table row = reader_->read(line, number);
    const LiveColumns& columns = request_.columns;
    Stream& stream = streams_->of(columns.by.empty() ? "" : text_of(column_of(row, columns.by, "--by"), 0));
    if (times_) {
      const std::int64_t time = times_->utc(column_of(row, columns.time, "--time"), 0);
      const Arrival arrival = stream.arrive(time, fingerprint_of(line), max_gap_);
      if (arrival == Arrival::late) ++tally_.n_late;
      if (arrival == Arrival::duplicate) ++tally_.n_duplicates;
      if (arrival != Arrival::next)
        return {.reason = arrival == Arrival::late ? "late: before the event that came last" : "a duplicate"};
    }
    const Scored scored = stream.update(row)[0];
    ++tally_.n_events;
    if (std::isnan(scored.bits)) return {.reason = reason_of_silence(stream)};
    const AnomalyRule rule{.threshold = stream.threshold(), .min_bits = request_.min_bits};
    Verdict verdict{.score = scored.bits,
                    .is_anomaly = request_.min_bits ? rule.is_anomaly(scored.bits)
                                  : rule.threshold  ? std::optional(scored.is_anomaly)
                                                    : std::nullopt};
    if (verdict.is_anomaly.value_or(false)) {
      ++tally_.n_anomalies;
      const Witness witness = stream.explain_last();
      verdict.reason = witness.conditions.empty() ? "no few columns alone" : to_words(witness, *stream.schema());
    }
    return verdict;
  }

  static std::string reason_of_silence(const Stream& stream) {
    const std::size_t n = stream.n_to_warm_up();
    return n == 0 ? "the window is not full yet" : fmt::format("warming up: {} more row{}", n, n == 1 ? "" : "s");
  }

  void write(std::string_view line, const Verdict& verdict) {
    if (request_.anomalies_only && !verdict.is_anomaly.value_or(false)) return;
    out_->write(form_.extended(line, verdict));
  }

  /// Of the first bad lines; how many there were is said at the end.
  void complain(std::string_view words) {
    constexpr std::uint64_t most_complaints = 10;
    ++tally_.n_bad;
    if (tally_.n_bad <= most_complaints) work_.say(fmt::format("left out: {}", words));
    if (tally_.n_bad == most_complaints) work_.say("further lines that cannot be read are counted only");
  }

  void save_now_and_then() {
    constexpr auto long_enough = std::chrono::seconds(60);
    ++n_unsaved_;
    if (request_.state.empty()) return;
    const bool is_time = std::chrono::steady_clock::now() - last_save_ >= long_enough;
    if (n_unsaved_ >= request_.save_every || is_time) save();
  }

  void save() {
    if (request_.state.empty() || !streams_) return;
    out_->sync();
    nlohmann::ordered_json note;
    note["setting"] = request_.setting();
    note["n_bytes"] = lines_.n_bytes();
    note["n_lines"] = lines_.n_lines();
    note["n_written"] = out_->n_bytes();
    note["n_events"] = tally_.n_events;
    note["n_anomalies"] = tally_.n_anomalies;
    note["n_late"] = tally_.n_late;
    note["n_duplicates"] = tally_.n_duplicates;
    note["n_bad"] = tally_.n_bad;
    note["columns"] = reader_->to_json();
    streams_->save(request_.state, note.dump());
    n_unsaved_ = 0;
    last_save_ = std::chrono::steady_clock::now();
  }

  void end() {
    save();
    if (!streams_) {
      work_.say(fmt::format("ended while warming up: {} of {} events had come", held_.size(), request_.sizes.warm_up));
      return;
    }
    std::string words = fmt::format("{} events, {} anomalies", tally_.n_events, tally_.n_anomalies);
    const auto add = [&](std::uint64_t n, std::string_view what) {
      if (n > 0) words += fmt::format(", {} {}", n, what);
    };
    if (!request_.columns.by.empty()) add(streams_->n_keys(), "keys");
    add(streams_->n_forgotten(), "keys forgotten for the sake of memory");
    add(tally_.n_late, "late");
    add(tally_.n_duplicates, "duplicates");
    add(tally_.n_bad, "lines that cannot be read");
    work_.say(words);
  }

  const Request& request_;
  Work& work_;
  LinesIn lines_;
  std::optional<std::int64_t> max_gap_;
  std::unique_ptr<LiveReader> reader_;
  std::optional<TimeParser> times_;
  std::unique_ptr<KeyedStreams> streams_;
  LineForm form_;
  std::unique_ptr<LinesOut> out_;
  Tally tally_;
  /// The first lines, and their numbers.
  std::vector<std::string> held_;
  std::vector<std::uint64_t> held_numbers_;
  std::uint64_t n_unsaved_ = 0;
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
};

void stream(Request& request) {
  check(request);
  watch_termination();
  Work work(request.run);
  if (!request.schema_file.empty()) request.columns.schema = read_schema(request.schema_file, work.run());
  LiveStream(request, work).run();
}

void add_event_flags(CLI::App& verb, Request& request) {
  constexpr const char* group = "Events";
  verb.add_option("--window", request.sizes.window,
                  "score windows of so many successive events instead of single ones; default 1")
      ->type_name("W")
      ->check(whole_number(1, 10'000))
      ->group(group);
  verb.add_option("--time", request.columns.time,
                  "the column of times: late and duplicate events are told, and not learned")
      ->type_name("COL")
      ->group(group);
  verb.add_option("--by", request.columns.by, "a column of keys: each key is a stream of its own")
      ->type_name("COL")
      ->group(group);
  verb.add_option("--max-keys", request.most_keys,
                  "how many keys are kept; the one whose last event is the oldest goes first; default 100")
      ->type_name("N")
      ->check(whole_number(1, 10'000'000))
      ->group(group);
  verb.add_option("--max-gap", request.max_gap, "no window crosses a step between events that is longer, such as 10min")
      ->type_name("SPAN")
      ->group(group);
  verb.add_flag("--calendar", request.columns.calendar, "add the hour and weekday of the event")->group(group);
  verb.add_option("--horizon", request.sizes.horizon, "how many of the last events the model knows; default 2048")
      ->type_name("N")
      ->check(whole_number(2, 10'000'000))
      ->group(group);
  verb.add_option("--warm-up", request.sizes.warm_up, "how many rows come before the first score; default 256")
      ->type_name("N")
      ->check(whole_number(2, 10'000'000))
      ->group(group);
}

void add_own_flags(CLI::App& verb, Request& request) {
  verb.add_option("--output", request.output,
                  "where to write, line by line; without it, or with -, the standard output")
      ->type_name("FILE");
  verb.add_flag("--anomalies-only", request.anomalies_only, "write no other lines");
  add_min_bits_flag(verb, request.min_bits);
  verb.add_flag("--excel-safe", request.excel_safe, "put an apostrophe before texts of ours that begin with = + - @");
  verb.add_option("--state", request.state,
                  "a file to go on from, if it is there; written now and then, on SIGTERM and at the end")
      ->type_name("FILE");
  verb.add_option("--save-every", request.save_every,
                  "write the state after so many lines, and when a minute has passed; default 10000")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  verb.add_flag("--replayed", request.replayed,
                "the standard input begins where it began the first time: skip what the state has seen");
}

}  // namespace

void add_stream(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("stream", "Score lines as they come, and learn from them");
  const auto request = std::make_shared<Request>();
  request->table.file = "-";
  add_file_argument(*verb, request->table);
  add_own_flags(*verb, *request);
  add_event_flags(*verb, *request);
  add_format_flags(*verb, request->table);
  add_ignore_flag(*verb, request->columns.ignore);
  add_schema_flag(*verb, request->schema_file);
  verb->add_flag("--quiet", request->run.quiet, "say nothing but results and errors");
  add_option_flags(*verb, request->options);
  verb->footer(
      "Adds score (in bits), is_anomaly and reason to each line, and writes it at once. A line is one event; lines "
      "that "
      "cannot be read are left out and told.\n\n"
      "Example:\n  pidforest stream examples/traffic.csv --window 4 --time time --by host --ignore fault "
      "--anomalies-only");
  verb->callback([request] { stream(*request); });
}

}  // namespace pidforest::cli
