// SPDX-License-Identifier: Apache-2.0
#include "verbs/live_stream.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "flags/exit_codes.h"
#include "flags/labels.h"
#include "flags/span.h"
#include "follow/followed_lines.h"
#include "in/fingerprint.h"
#include "in/history_lines.h"
#include "in/lines_in.h"
#include "in/offsets.h"
#include "in/schema_file.h"
#include "in/stream_note.h"
#include "net/notifier.h"
#include "out/interrupt.h"
#include "out/lines_out.h"
#include "pidforest/error.h"
#include "schema/times.h"
#include "system/read_file.h"
#include "values/number_words.h"
#include "values/read_text.h"
#include "verbs/live_incidents.h"
#include "verbs/silences.h"
#include "verbs/stream_history.h"
#include "verbs/stream_setting.h"

namespace pidforest::cli {

namespace {

std::string why_no_score(const Stream& stream) {
  const std::size_t n = stream.n_to_warm_up();
  return n == 0 ? "the window is not full yet" : fmt::format("warming up: {} needed", values::counted(n, "more row"));
}

class LiveStream {
 public:
  /// Both arguments must outlive this.
  LiveStream(const StreamRequest& request, Work& work)
      : request_(request), work_(work), max_gap_(request.gap()), incidents_(request.incident_options()) {
    if (const auto after = request.silence()) silences_ = std::make_unique<Silences>(*after, request.most_keys);
    if (!request.offsets.empty()) offsets_ = std::make_unique<Offsets>(request.offsets.front(), request.offsets.back());
    if (!request.notify.empty())
      notifier_ = std::make_unique<Notifier>(http_for("--notify"), WebAddress("--notify", request.notify));
  }

  /// Reads all lines. Saves the state when it is interrupted, too. Throws Cancelled after SIGINT.
  void run() {
    try {
      start();
      while (const std::optional<std::string_view> line = reader_ ? next() : std::nullopt) {
        take(*line, lines_->n_lines());
        save_now_and_then();
      }
    } catch (const Cancelled&) {
      save();
      if (!was_terminated()) throw;
      if (!has_started_) return;
    }
    end();
    if (request_.fail_on_anomaly && n_found() > n_found_before_ && !was_terminated()) throw AnomaliesFound();
  }

 private:
  /// Begins, or resumes from the state if its file exists.
  void start() {
    const bool has_state = !request_.state.empty();
    lines_ = opened();
    if (has_state && system::exists(request_.state)) resume();
    if (!reader_ && request_.has_history()) begin_with_history();
    has_started_ = true;
    if (!reader_) begin();
  }
  [[nodiscard]] std::unique_ptr<LineSource> opened() const {
    const std::string& file = request_.table.file;
    if (request_.source) return request_.source();
    if (!request_.follow)
      return std::make_unique<LinesIn>(
          file, work_.run(), request_.state.empty() ? LinesIn::LastLine::is_whole : LinesIn::LastLine::waits,
          file == "-" && !request_.replayed ? LinesIn::Again::rest : LinesIn::Again::whole);
    std::optional<std::chrono::microseconds> until_idle;
    if (!request_.until_idle.empty())
      until_idle = std::chrono::microseconds(parse_span("--until-idle", request_.until_idle));
    return std::make_unique<FollowedLines>(file, work_.run(), until_idle,
                                           [this](const std::string& words) { work_.say(words); });
  }
  /// Waits for the next line; nullopt at the end.
  std::optional<std::string_view> next() {
    for (;;) {
      if (const std::optional<std::string_view> line = lines_->next()) return line;
      if (!lines_->wait()) return std::nullopt;
      tell_trouble();
      if (silences_ && streams_) report_silent(silences_->latest() + since_last_heard());
      if (n_unsaved_ > 0 && is_time_to_save()) save();
    }
  }
  /// There is no reader yet if the header row waits for its end.
  void begin() {
    std::string header;
    std::optional<std::string_view> first;
    bool is_csv = false;
    if (request_.table.text_format().form != TextFormat::Form::json_lines) {
      first = next();
      if (!first && !lines_->position().rest.empty()) return;
      if (!first) throw InvalidInput("a CSV stream must begin with a header row of column names; the input is empty.");
      is_csv = !is_json(*first);
      if (is_csv) header = header_of(*first);
    }
    make_reader(is_csv ? TextFormat::Form::csv : TextFormat::Form::json_lines, header);
    if (types_of_history_) read_as_history(header);
    out_ = std::make_unique<LinesOut>(request_.output, 0);
    out_->write(request_.writes_events() ? form_.header(header) : incident_form_.header());
    if (reader_->is_ready()) streams_ ? make_times() : make_streams();
    if (first && !is_csv) take(*first, lines_->n_lines());
    if (request_.follow || request_.source) save();  // the file may be rotated before the first save
  }
  void begin_with_history() {
    std::optional<LearnedPast> learned = learned_past(request_);
    if (!learned) return learn_history();
    streams_ = std::make_unique<KeyedStreams>(std::move(learned->streams));
    types_of_history_ = std::move(learned->types);
    work_.say(
        fmt::format("beginning after {} of '{}'", values::counted(learned->n_events, "event"), request_.past.file));
  }
  /// Learns the lines of --history. Nothing is written about them.
  void learn_history() {
    is_history_ = true;
    streams_.reset();
    const auto learn = [&](std::string_view line, std::uint64_t number) {
      if (reader_) return take(line, number);
      const bool is_csv = !is_json(line);
      make_reader(is_csv ? TextFormat::Form::csv : TextFormat::Form::json_lines, is_csv ? header_of(line) : "");
      if (reader_->is_ready()) make_streams();
      if (!is_csv) take(line, number);
    };
    if (request_.past_source) {
      const std::unique_ptr<LineSource> lines = request_.past_source();
      while (const std::optional<std::string_view> line = lines->next()) learn(*line, lines->n_lines());
    } else {
      for_each_line_of_history(request_.past, work_, learn);
    }
    if (reader_ && !reader_->is_ready() && reader_->n_buffered() > 0) take_buffered();
    if (tally_.n_events == 0)
      throw InvalidInput(fmt::format("the history{} must have at least one event.", request_.name_of_history()));
    streams_->end_warm_ups();
    work_.say(fmt::format("learned {} of the history", values::counted(tally_.n_events, "event")));
    types_of_history_ = reader_->known().types;
    reader_.reset();
    tally_ = {};
    is_history_ = false;
  }
  void read_as_history(const std::string& header) {
    try {
      reader_->restore({.header = header, .types = types_of_history_});
      if (!times_) make_times();
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("the input must have the columns of the history{}: {}", request_.name_of_history(),
                                     error.what()));
    }
  }
  static std::string header_of(std::string_view line) {
    return std::string(line.starts_with("\xEF\xBB\xBF") ? line.substr(3) : line);
  }
  /// In CSV a quote cannot follow a brace.
  static bool is_json(std::string_view line) {
    line = values::trimmed(line);
    return line.starts_with('{') && values::trimmed(line.substr(1)).starts_with('"');
  }
  void resume() {
    auto [streams, text] = KeyedStreams::load(request_.state, request_.most_keys);
    const StreamNote note = read_note(text, request_.state);
    check_setting(note.setting, request_, request_.state);
    if (streams.options() != request_.stream_options())
      throw BadFile(fmt::format("state file '{}': its options differ from its flags.", request_.state));
    if (note.columns) {
      const auto format = note.setting.find("--format");
      restore(*note.columns, format != note.setting.end() && format->second == "jsonl", std::move(streams));
      out_ = std::make_unique<LinesOut>(request_.output, request_.output == "-" ? 0 : note.n_written);
    }
    tally_ = note.tally;
    restore_incidents(note.incidents);
    if (silences_) silences_->restore(note.heard);
    if (offsets_) offsets_->restore(note.offsets);
    n_taken_ = note.n_taken;
    n_found_before_ = n_found();
    if (!offsets_) lines_->resume(note.position);
    if (offsets_) return work_.say(fmt::format("resuming after {} with offsets", values::counted(n_taken_, "event")));
    const bool is_continued = request_.table.file == "-" && !request_.replayed;
    const bool is_within = is_continued && note.position.n_read() > note.position.n_bytes;
    work_.say(fmt::format("resuming {} line {} (byte {}) of {}", is_within ? "within" : "after",
                          note.position.n_lines + (is_within ? 1 : 0),
                          is_within ? note.position.n_read() : note.position.n_bytes, lines_->name()));
  }
  void restore_incidents(const std::string& state) {
    try {
      incidents_.restore(state);
    } catch (const BadFile& error) {
      throw BadFile(fmt::format("state file '{}': {}", request_.state, error.what()));
    }
  }
  /// Throws BadFile for columns that no run can have saved.
  void restore(const KnownColumns& columns, bool is_json, KeyedStreams streams) {
    try {
      make_reader(is_json ? TextFormat::Form::json_lines : TextFormat::Form::csv, columns.header);
      reader_->restore(columns);
      if (reader_->is_ready() ? streams.schema() != reader_->features() : streams.n_keys() > 0)
        throw InvalidInput("its columns differ from the columns of its streams.");
      make_times();
    } catch (const InvalidInput& error) {
      throw BadFile(fmt::format("state file '{}': {}", request_.state, error.what()));
    }
    if (reader_->is_ready()) streams_ = std::make_unique<KeyedStreams>(std::move(streams));
  }
  void make_reader(TextFormat::Form form, const std::string& header) {
    TextFormat format = request_.table.text_format();
    format.form = form;
    if (offsets_ && !is_history_) offsets_->begin(format, header);
    reader_ = std::make_unique<LiveReader>(format, request_.columns, header, request_.sizes.warm_up);
    form_ = {.are_events_json = format.form == TextFormat::Form::json_lines,
             .is_finding_json = request_.json,
             .delimiter = reader_->delimiter(),
             .excel_safe = request_.excel_safe};
    incident_form_ = {.is_json = form_.are_events_json || request_.json,
                      .delimiter = form_.delimiter,
                      .excel_safe = request_.excel_safe,
                      .has_keys = !request_.columns.by.empty()};
    if (!header.empty()) lines_->leave_out_later(header);
  }
  void make_streams() {
    if (request_.schema_file.empty())
      for (const std::string& note : notes_of(reader_->features(), request_.table.file)) work_.say(note);
    streams_ = std::make_unique<KeyedStreams>(request_.stream_options(), reader_->features(), request_.most_keys);
    make_times();
  }
  void make_times() {
    if (const std::optional<ColumnSchema>& times = reader_->times()) times_.emplace(*times);
    incident_form_.time = reader_->times();
    std::vector<std::string> metrics;
    for (const ColumnSchema& column : reader_->features().columns) metrics.push_back(column.name);
    incidents_.begin(std::move(metrics));
  }

  void take(std::string_view line, std::uint64_t number) {
    if (line.find_first_not_of(" \t") == std::string_view::npos || line == reader_->header()) return;
    try {
      if (line.size() > LinesIn::longest_line)
        throw InvalidInput(fmt::format("line {}: must be at most {} bytes long.", number, LinesIn::longest_line));
      if (offsets_ && !is_history_) {
        if (!offsets_->is_new(line, number)) return;
        number = ++n_taken_;
      }
      if (reader_->is_ready()) return write(line, number, found_in(line, number));
      reader_->buffer(line, number);
      write(line, number, {.reason = "warming up"});
    } catch (const InvalidInput& error) {
      return complain(error.what());
    }
    if (reader_->has_enough()) take_buffered();
  }
  /// Scores the lines that the reader has buffered, which were written before.
  void take_buffered() {
    const std::vector<BufferedLine> lines = reader_->take_buffered();
    try {
      reader_->judge(lines);
      make_streams();
    } catch (const InvalidInput& error) {  // no later line can mend it
      throw InvalidInput(fmt::format("the first {} lines: {}", lines.size(), error.what()));
    }
    for (const BufferedLine& line : lines) {
      try {
        (void)found_in(line.text, line.number);
      } catch (const InvalidInput& error) {
        complain(error.what());
      }
    }
  }
  [[nodiscard]] std::string text_of_key(const Table& row) const {
    const std::string& by = request_.columns.by;
    return by.empty() ? "" : text_of(column_of(row, by, "--by"), 0);
  }
  /// Takes the event for the key's sign of life, after the silences that it ends or shows.
  void hear(const std::string& key, std::int64_t time, const std::string& time_text) {
    report_silent(time);
    silences_->hear({.key = key, .time = time, .time_text = time_text});
    last_heard_ = std::chrono::steady_clock::now();
  }
  /// Microseconds of the wall clock.
  [[nodiscard]] std::int64_t since_last_heard() const {
    const auto since = std::chrono::steady_clock::now() - last_heard_;
    return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
  }
  /// Writes a line for each key that has fallen silent by this time. It has the time of the last event of the key.
  void report_silent(std::int64_t now) {
    for (const LastHeard& heard : silences_->silent_by(now)) {
      std::map<std::string, std::string> fields{{request_.columns.time, heard.time_text}};
      if (!request_.columns.by.empty()) fields[request_.columns.by] = heard.key;
      ++tally_.n_silent;
      ++n_unsaved_;
      if (is_history_) continue;
      const std::string reason = fmt::format("silent: no event for {} since this one", request_.silent_after);
      write(form_.line_of(reader_->names(), fields), lines_->n_lines(), {.is_anomaly = true, .reason = reason});
      report(silence_of(heard.key, heard.time, lines_->n_lines(), reason));
    }
  }
  EventFinding found_in(std::string_view line, std::uint64_t number) {
    const Table row = reader_->read(line, number);
    const LiveColumns& columns = request_.columns;
    const std::string key = text_of_key(row);
    Stream& stream = streams_->of(key);
    std::optional<std::int64_t> time;
    if (times_) {
      time = times_->required_utc(column_of(row, columns.time, "--time"), 0);
      const Arrival arrival = stream.arrive(*time, Fingerprint().add(line).value(), max_gap_);
      if (arrival == Arrival::late) ++tally_.n_late;
      if (arrival == Arrival::duplicate) ++tally_.n_duplicates;
      if (arrival != Arrival::next)
        return {.reason = arrival == Arrival::late ? "late: earlier than the last event" : "duplicate"};
      if (silences_) hear(key, *time, text_of(column_of(row, columns.time, "--time"), 0));
    }
    const AnomalyRule rule = incidents_.rule(key, {.threshold = stream.threshold(), .min_bits = request_.min_bits});
    EventFinding finding =
        score(stream, row, rule, time && times_ ? std::optional(times_->local(*time)) : std::nullopt);
    ++tally_.n_events;
    if (finding.is_anomaly.value_or(false)) ++tally_.n_anomalies;
    if (is_history_) return finding;
    if (request_.watcher != nullptr && time) request_.watcher->take(key, *time, finding);
    for (const IncidentChange& change : incidents_.take(key, time, number, finding)) report(change);
    return finding;
  }
  /// Column bits and the nearest normal are those of the counts that the event was scored by, so they come before it is
  /// learned.
  EventFinding score(Stream& stream, const Table& row, const AnomalyRule& rule, std::optional<std::int64_t> local) {
    EventFinding finding;
    const auto find_columns = [&](const EventScore& scored) {
      if (!rule.is_anomaly(scored.bits).value_or(false)) return;
      const bool wants_normal = request_.json && request_.writes_events();
      finding.reasons = stream.find_last(wants_normal ? rule.most_normal() : std::nullopt);
    };
    const std::int64_t time = local.value_or(0);
    const EventScore scored = stream.update(row, find_columns, std::span(&time, local ? 1 : 0))[0];
    if (std::isnan(scored.bits)) return {.reason = why_no_score(stream)};
    finding.score = scored.bits;
    finding.is_anomaly = rule.is_anomaly(scored.bits);
    if (!finding.reasons) return finding;
    finding.schema = stream.schema();
    finding.witness = stream.explain_last();
    describe(*finding.reasons, *finding.witness, stream.last_window(row), 0, *finding.schema);
    finding.reason = reason_in_words(*finding.reasons, *finding.witness, *finding.schema);
    return finding;
  }
  void write(std::string_view line, std::uint64_t number, const EventFinding& finding) {
    if (is_history_ || !request_.writes_events()) return;
    if (request_.anomalies_only && !finding.is_anomaly.value_or(false)) return;
    out_->write(form_.extended(line, number, finding));
  }
  void report(const IncidentChange& change) {
    if (request_.watcher != nullptr) request_.watcher->take(change);
    if (notifier_ && change.news != IncidentNews::unclosed)
      notifier_->send(incident_form_.message(change.incident, change.news));
    if (!request_.writes_events()) out_->write(incident_form_.line(change.incident, change.news));
  }
  /// Reports the first bad lines; how many there were is said at the end.
  void complain(std::string_view words) {
    constexpr std::uint64_t most_complaints = 10;
    ++tally_.n_bad;
    if (tally_.n_bad <= most_complaints)
      work_.say(fmt::format("skipped{}: {}", is_history_ ? " in the history" : "", words));
    if (tally_.n_bad == most_complaints) work_.say("further unreadable lines are counted but not shown");
  }

  [[nodiscard]] bool is_time_to_save() const {
    constexpr auto long_enough = std::chrono::seconds(60);
    return !request_.state.empty() && std::chrono::steady_clock::now() - last_save_ >= long_enough;
  }
  void tell_trouble() {
    if (!notifier_) return;
    if (const std::optional<std::string> trouble = notifier_->take_trouble()) work_.say(*trouble);
  }
  void save_now_and_then() {
    tell_trouble();
    ++n_unsaved_;
    if (n_unsaved_ >= request_.save_every || is_time_to_save()) save();
  }
  void save() {
    if (request_.state.empty() || !has_started_) return;
    StreamNote note{.setting = setting_of(request_), .position = lines_->position(), .tally = tally_};
    note.incidents = incidents_.state();
    if (silences_) note.heard = silences_->known();
    if (offsets_) note.offsets = offsets_->last();
    note.n_taken = n_taken_;
    if (reader_) {
      note.setting["--format"] = form_.are_events_json ? "jsonl" : "csv";
      out_->sync();
      note.n_written = out_->n_bytes();
      note.columns = reader_->known();
    }
    if (streams_)
      streams_->save(request_.state, to_text(note));
    else
      KeyedStreams(request_.stream_options(), {}, request_.most_keys).save(request_.state, to_text(note));
    n_unsaved_ = 0;
    last_save_ = std::chrono::steady_clock::now();
  }
  void tell_waiting(const LinesPosition& position) {
    if (const std::uint64_t n = position.n_read() - position.n_bytes; n > 0)
      work_.say(fmt::format("line {} has no line end yet: its {} wait for the rest, which a later run reads",
                            position.n_lines + 1, values::counted(n, "byte")));
  }
  [[nodiscard]] std::uint64_t n_found() const { return tally_.n_anomalies + tally_.n_silent; }
  void end() {
    save();
    if (notifier_) notifier_->finish();
    tell_trouble();
    if (lines_ && !request_.source) tell_waiting(lines_->position());
    if (!streams_) {
      const std::size_t n_buffered = reader_ ? reader_->n_buffered() : 0;
      work_.say(
          fmt::format("the input ended during warm-up, after {} of {} events", n_buffered, request_.sizes.warm_up));
      return;
    }
    if (request_.state.empty())
      for (const IncidentChange& change : incidents_.unclosed()) report(change);
    std::string words = fmt::format("{}, {}", values::counted(tally_.n_events, "event"),
                                    values::counted(tally_.n_anomalies, "anomaly"));
    if (!request_.writes_events())
      words += fmt::format(" in {}", values::counted(incidents_.tracker().n_opened(), "incident"));
    const auto add = [&](std::uint64_t n, const std::string& counted) {
      if (n > 0) words += ", " + counted;
    };
    if (const std::uint64_t n_over = incidents_.tracker().n_over_budget(); n_over > 0)
      add(n_over, fmt::format("{} over the budget", values::counted(n_over, "anomaly")));
    const std::uint64_t n_dropped = streams_->n_forgotten();
    if (!request_.columns.by.empty()) add(streams_->n_keys(), values::counted(streams_->n_keys(), "key"));
    add(n_dropped, values::counted(n_dropped, "key") + " dropped to save memory");
    add(tally_.n_late, fmt::format("{} late", tally_.n_late));
    add(tally_.n_duplicates, values::counted(tally_.n_duplicates, "duplicate"));
    add(tally_.n_silent, values::counted(tally_.n_silent, "silence"));
    if (notifier_) add(notifier_->n_dropped(), fmt::format("{} dropped by the webhook", notifier_->n_dropped()));
    add(tally_.n_bad, values::counted(tally_.n_bad, "unreadable line"));
    work_.say(words);
  }

  const StreamRequest& request_;
  Work& work_;
  std::unique_ptr<LineSource> lines_;
  /// Until then the state on disk is the valid one, because the lines before its position are still being skipped.
  bool has_started_ = false;
  std::optional<std::int64_t> max_gap_;
  std::unique_ptr<LiveReader> reader_;
  std::optional<schema::TimeReader> times_;
  std::unique_ptr<KeyedStreams> streams_;
  /// Whether lines of the history are being learned.
  bool is_history_ = false;
  std::optional<KnownColumns::Types> types_of_history_;
  LineForm form_;
  LiveIncidents incidents_;
  IncidentForm incident_form_;
  std::unique_ptr<LinesOut> out_;
  Tally tally_;
  /// Anomalies and silences of the runs before this one.
  std::uint64_t n_found_before_ = 0;
  std::unique_ptr<Notifier> notifier_;
  std::unique_ptr<Silences> silences_;
  std::unique_ptr<Offsets> offsets_;
  /// With offsets, events are numbered by themselves, so that the numbers do not depend on restarts.
  std::uint64_t n_taken_ = 0;
  std::chrono::steady_clock::time_point last_heard_ = std::chrono::steady_clock::now();
  std::uint64_t n_unsaved_ = 0;
  std::chrono::steady_clock::time_point last_save_ = std::chrono::steady_clock::now();
};

}  // namespace

void run_stream(const StreamRequest& request, Work& work) { LiveStream(request, work).run(); }

}  // namespace pidforest::cli
