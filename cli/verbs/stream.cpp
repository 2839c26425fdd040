// SPDX-License-Identifier: Apache-2.0
// The verb `stream`. Reads lines as they come and writes each with its score, flag and reason.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "flags/config_file.h"
#include "flags/flag_values.h"
#include "flags/labels.h"
#include "flags/named_files.h"
#include "flags/option_flags.h"
#include "in/schema_file.h"
#include "in/table_input.h"
#include "in/training.h"
#include "out/interrupt.h"
#include "out/work.h"
#include "pidforest/error.h"
#include "pidforest/series.h"
#include "verbs/live_stream.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

void check_history(const TableFlags& past) {
  if (past.is_query() && !past.file.empty())
    throw InvalidOption("--history and --sql cannot be combined: the query selects the events of the past.");
  if (past.is_query() || !past.file.empty()) return past.check();
  if (!past.db.empty() || !past.driver.empty())
    throw InvalidOption(fmt::format("{} requires --sql, a query that selects the events of the past.",
                                    past.db.empty() ? "--driver" : "--db"));
}

void check(const StreamRequest& request) {
  check_history(request.past);
  validate(request.stream_options());
  (void)request.incident_options();
  (void)request.gap();
  (void)request.silence();
  const LiveColumns& columns = request.columns;
  if (columns.calendar && columns.time.empty())
    throw InvalidOption("--calendar requires --time, the column of the hour and weekday.");
  if (!request.max_gap.empty() && columns.time.empty())
    throw InvalidOption("--max-gap requires --time, the column that shows the gaps.");
  if (!request.silent_after.empty() && columns.time.empty())
    throw InvalidOption("--silent-after requires --time, the column that shows how long a key has been silent.");
  if (!columns.by.empty() && columns.by == columns.time)
    throw InvalidOption(fmt::format("--time and --by must name different columns; both name '{}'.", columns.by));
  if (request.replayed && request.state.empty())
    throw InvalidOption("--replayed requires --state, which records how much to skip.");
  if (!request.offsets.empty() && (request.offsets.size() != 2 || request.offsets[0] == request.offsets[1]))
    throw InvalidOption("--offsets must name two columns, the partition and the offset, such as partition,offset.");
  if (!request.offsets.empty() && (request.follow || request.replayed || request.table.file != "-"))
    throw InvalidOption("--offsets is for standard input, and cannot be combined with FILE, --follow or --replayed.");
  if (request.follow && request.table.file == "-")
    throw InvalidOption("--follow requires a file; standard input is read as it comes without it.");
  if (!request.until_idle.empty() && !request.follow)
    throw InvalidOption("--until-idle requires --follow, which waits for lines.");
  const bool has_limit =
      request.min_bits || request.incidents.alerts_per_day || request.options.options().contamination != Options::none;
  check_fail_flag(request.fail_on_anomaly, has_limit);
  const VerbFiles files{.inputs = {{"FILE", request.table.file},
                                   {"--schema", request.schema_file},
                                   {"--history", request.past.file},
                                   {"--config", request.table.config}},
                        .outputs = {{"--state", request.state}},
                        .growing = {{"--output", request.output}}};
  files.check();
}

void stream(StreamRequest& request) {
  check(request);
  watch_termination();
  Work work(request.run);
  request.columns.ignore.insert(request.columns.ignore.end(), request.offsets.begin(), request.offsets.end());
  if (!request.schema_file.empty()) request.columns.schema = read_schema(request.schema_file, work.run());
  run_stream(request, work);
}

void add_event_flags(CLI::App& verb, StreamRequest& request) {
  constexpr const char* group = "Events";
  verb.add_option("--window", request.sizes.window,
                  "score windows of this many successive events instead of single ones; default 1")
      ->type_name("W")
      ->check(whole_number(1, 10'000))
      ->group(group);
  verb.add_option(
          "--views", request.views,
          "what the trees look at in windows: lags (all values), or lags,changes (every other tree the last values and "
          "by how much they rose over 1 to 8 events); default lags,changes")
      ->type_name("VIEWS")
      ->group(group);
  verb.add_option("--means", request.sizes.means,
                  "add the means of the numbers over the last N events, or over those of the segment so far")
      ->type_name("N[,N]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(2, 100'000))
      ->group(group);
  verb.add_option("--time", request.columns.time,
                  "the time column; late and duplicate events are reported and not learned")
      ->type_name("COL")
      ->group(group);
  verb.add_option("--by", request.columns.by, "key column; each key is a separate stream")
      ->type_name("COL")
      ->group(group);
  verb.add_option("--max-keys", request.most_keys,
                  "maximum number of keys kept; the key with the oldest last event is dropped first; default 100")
      ->type_name("N")
      ->check(whole_number(1, 10'000'000))
      ->group(group);
  verb.add_option("--max-gap", request.max_gap, "longest time step allowed inside a window, such as 10min")
      ->type_name("SPAN")
      ->group(group);
  verb.add_option(
          "--silent-after", request.silent_after,
          "with --time: write a line when a key has had no event for this long, once until it has one again; the "
          "time is that of the latest event of any key, and with --follow goes on while no line comes")
      ->type_name("SPAN")
      ->group(group);
  verb.add_flag_callback(
          "--no-season", [&request] { request.sizes.season = false; },
          "with --time: do not learn what is usual at each half hour of the day and of the week")
      ->group(group);
  verb.add_flag("--calendar", request.columns.calendar, "add the hour and weekday of the event")->group(group);
  verb.add_option("--horizon", request.sizes.horizon, "how many of the last events the model counts; default 2048")
      ->type_name("N")
      ->check(whole_number(2, 10'000'000))
      ->group(group);
  verb.add_option("--recent", request.sizes.recent,
                  "events that a second forest knows, to follow changes sooner: an event has the lower of both scores; "
                  "0: none; default 512")
      ->type_name("N")
      ->check(whole_number(0, 10'000'000))
      ->group(group);
  verb.add_option("--history", request.past.file,
                  "the past, learned before the first event instead of a warm-up: CSV, JSON lines, Parquet, or the "
                  "state of another stream; not read when a state is resumed")
      ->type_name("FILE")
      ->group(group);
  verb.add_option("--warm-up", request.sizes.warm_up, "number of rows before the first score; default 256")
      ->type_name("N")
      ->check(whole_number(2, 10'000'000))
      ->group(group);
}

void add_own_flags(CLI::App& verb, StreamRequest& request) {
  verb.add_option("--output", request.output,
                  "output file, written line by line; standard output by default, or with -")
      ->type_name("FILE");
  verb.add_flag("--json", request.json,
                "write lines of JSON; those of events have for anomalies witness, column bits and nearest normal");
  verb.add_flag("--every-event", request.every_event,
                "write the line of each event with score, is_anomaly and reason instead of lines about incidents");
  verb.add_flag("--anomalies-only", request.anomalies_only, "as --every-event, but only the lines of anomalies");
  add_min_bits_flag(verb, request.min_bits);
  add_fail_flag(verb, request.fail_on_anomaly);
  verb.add_flag("--excel-safe", request.excel_safe,
                "put an apostrophe before added text values that begin with = + - @");
  verb.add_option("--notify", request.notify,
                  "send incidents, when they open and close, and silences as JSON to this http or https URL, or to the "
                  "URL in a "
                  "file, as @FILE; "
                  "tried three times, and the stream never waits for it")
      ->type_name("URL");
  verb.add_option("--state", request.state,
                  "a file to resume from, if it exists; written now and then, on SIGTERM and at the end; a last line "
                  "without its end waits there for the rest")
      ->type_name("FILE");
  verb.add_option("--save-every", request.save_every,
                  "write the state after this many lines, and when a minute has passed; default 10000")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  verb.add_flag(
      "--follow", request.follow,
      "wait for lines that are appended to FILE; when FILE is rotated (renamed, or copied and truncated), read "
      "the rest of the old file, and then the new one");
  verb.add_option("--until-idle", request.until_idle,
                  "with --follow: end when no line has come for this long; 0s: at the end of the file")
      ->type_name("SPAN");
  verb.add_option("--offsets", request.offsets,
                  "the columns of a partition and an offset, as Kafka has them: events up to the last offset of their "
                  "partition are left out, so that the input may begin anywhere before; no features")
      ->type_name("PARTITION,OFFSET")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb.add_flag("--replayed", request.replayed,
                "standard input starts from its beginning again: skip the lines that the state has seen");
}

}  // namespace

void add_stream(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("stream", "Score events line by line as they arrive, and learn from them");
  const auto request = std::make_shared<StreamRequest>();
  request->table.file = "-";
  add_file_argument(*verb, request->table);
  add_own_flags(*verb, *request);
  add_event_flags(*verb, *request);
  add_history_flags(*verb, request->past);
  add_incident_flags(*verb, request->incidents);
  add_format_flags(*verb, request->table);
  add_ignore_flag(*verb, request->columns.ignore);
  add_schema_flag(*verb, request->schema_file);
  add_config_flag(*verb, request->table.config);
  verb->add_flag("--quiet", request->run.quiet, "print only results and errors");
  add_option_flags(*verb, request->options);
  verb->footer(
      "Writes a line when an incident opens, and one when it closes: consecutive anomalies of a key, with begin, end, "
      "worst moment and the metrics to blame. A line of the input is one event; unreadable lines are left out and "
      "reported.\n\n"
      "Example:\n  pidforest stream examples/traffic.csv --window 4 --time time --by host --ignore fault\n"
      "  pidforest stream examples/traffic.csv --window 4 --time time --by host --ignore fault --every-event\n"
      "  pidforest stream examples/traffic.csv --window 4 --time time --by host --ignore fault --alerts-per-day 0.5");
  verb->callback([request, verb] {
    request->flags = flag_values(*verb);
    stream(*request);
  });
}

}  // namespace pidforest::cli
