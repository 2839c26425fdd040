// SPDX-License-Identifier: Apache-2.0
// The verb `detect`. Fits a forest on a file, scores its rows and prints the rarest.
#include "verbs/detect.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flags/exit_codes.h"
#include "flags/named_files.h"
#include "flags/suppression.h"
#include "in/schema_file.h"
#include "out/detect_output.h"
#include "out/output_file.h"
#include "out/terminal.h"
#include "pidforest/error.h"
#include "pidforest/incidents.h"
#include "pidforest/model.h"
#include "pidforest/table.h"
#include "values/number_words.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

using Request = DetectRequest;

/// Writes all rows with their scores.
void write_lines(const Request& request, const Scores& scores, const RowNumbers& numbers, const AnomalyRule& rule,
                 OutputFile& output) {
  const ScoreLines lines(request.lines, rule);
  output.write(lines.header(scores.rows.header()));
  std::uint64_t row = 0;
  scores.rows.for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i, ++row)
      output.write(lines.line(batch, i, numbers.of(row),
                              {.score = scores.bits[row], .is_suppressed = scores.is_suppressed(row)}));
  });
}

/// How well the scores rank the rows that have one.
std::optional<RankingQuality> quality_of(const Scores& scores, const std::vector<bool>& all_labels) {
  std::vector<double> bits;
  std::vector<bool> labels;
  for (std::size_t row = 0; row < all_labels.size(); ++row) {
    if (std::isnan(scores.bits[row])) continue;
    bits.push_back(scores.bits[row]);
    labels.push_back(all_labels[row]);
  }
  return ranking_quality(bits, labels);
}

void describe(const Request& request, const Detection& detection, Work& work) {
  const Findings& found = detection.found;
  if (const auto limit = found.rule.limit()) {
    const std::string incidents =
        detection.timed ? fmt::format(" in {}", values::counted(detection.timed->incidents.size(), "incident")) : "";
    const auto budget = request.in_time.alerts_per_day;
    work.say(fmt::format(
        "{}{} ({} {:.2f} bits{})", values::counted(found.n_anomalies, "anomaly"), incidents,
        found.rule.min_bits ? "at least" : "more than", *limit,
        budget ? fmt::format(", the budget of {} per day{}", *budget, request.in_time.per_key ? " and key" : "") : ""));
  }
  if (found.n_suppressed > 0) work.say(fmt::format("{} more suppressed by {}", found.n_suppressed, request.suppress));
  if (!detection.labels.empty() && !detection.quality)
    work.say(fmt::format("column '{}' has only one label value: AUC and average precision are undefined",
                         request.training.label));
}

void print(const Request& request, const Detection& detection, const TableStyle& style) {
  if (request.json) return write_stdout(request.incidents ? incidents_as_json(detection) : as_json(detection));
  const std::string table =
      request.incidents ? incidents_as_table(detection, request.top, style) : as_table(detection, style);
  if (style.in_colour)
    write_styled(table);
  else
    write_stdout(table);
}

/// Whether incidents are in time, instead of by reason.
bool are_in_time(const Request& request) { return request.incidents && !request.training.series.time.empty(); }

void check(const Request& request) {
  request.training.check();
  const SeriesFlags& series = request.training.series;
  (void)request.in_time.options(series.time, series.by, request.min_bits);
  if (!request.in_time.cool_down.empty() && !are_in_time(request) && !request.in_time.alerts_per_day)
    throw InvalidOption("--cool-down requires --incidents and --time: it joins the anomalies of incidents in time.");
  if (request.in_time.per_key && !request.incidents)
    throw InvalidOption("--per-key requires --incidents: without it, all rows have one threshold.");
  request.report.check();
  if (request.report.file == "-")
    throw InvalidOption("--report must be a file: the table goes to standard output. See `pidforest report`.");
  if (request.lines.excel_safe && request.output.empty())
    throw InvalidOption("--excel-safe requires --output: it applies to the CSV file only.");
  const Options options = request.training.options.options();
  const bool has_limit = request.min_bits || request.in_time.alerts_per_day;
  if (request.incidents && !has_limit && options.contamination == Options::none)
    throw InvalidOption("--incidents requires a threshold: --contamination other than none, or --min-bits.");
  check_fail_flag(request.fail_on_anomaly, has_limit || options.contamination != Options::none);
  VerbFiles files{
      .inputs = request.training.inputs(),
      .outputs = {{"--output", request.output}, {"--report", request.report.file}, {"--model", request.model_file}}};
  files.inputs.push_back({"--suppress", request.suppress});
  files.check();
}

/// Finds incidents in time, incidents by reason, or rows.
void find(const Request& request, const Training& training, Explainer& explainer, const Scores& scores,
          Detection& detection, Work& work) {
  const SeriesFlags& series = request.training.series;
  IncidentColumns columns{.time = series.time, .by = series.by};
  const auto declared = std::ranges::find(training.declared.columns, series.time, &ColumnSchema::name);
  if (declared != training.declared.columns.end() && declared->kind == Kind::time) columns.time_schema = *declared;
  const IncidentOptions options = request.in_time.options(series.time, series.by, request.min_bits);
  if (are_in_time(request)) {
    detection.timed = find_timed_incidents(explainer, scores, columns, options, request.min_bits, work.run());
    detection.found = detection.timed->found;
    detection.found.n_anomalies = detection.timed->n_anomalies;
    return;
  }
  std::optional<double> min_bits = request.min_bits;
  if (options.alerts_per_day) min_bits = bits_in_budget(scores, columns, options);
  detection.found = find_anomalies(
      explainer, scores,
      {.min_bits = min_bits, .top = request.incidents ? 0 : request.top, .incidents = request.incidents}, work.run());
}

void add_own_flags(CLI::App& verb, Request& request) {
  verb.add_option("--top", request.top, "number of rows or incidents to print; default 10")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000'000));
  add_min_bits_flag(verb, request.min_bits);
  add_suppress_flag(verb, request.suppress);
  verb.add_flag(
      "--incidents", request.incidents,
      "list incidents instead of rows: with --time, anomalies with no more than --cool-down between two of them; "
      "otherwise anomalies with the same reason");
  verb.add_option("--id", request.lines.id, "row identifier; not used as a feature unless the schema lists it")
      ->type_name("COL");
  verb.add_option("--output", request.output, "CSV file for the scores of all rows: row or id, score, is_anomaly")
      ->type_name("FILE");
  verb.add_flag("--excel-safe", request.lines.excel_safe,
                "put an apostrophe before text values in --output that begin with = + - @ and are not numbers");
  verb.add_option("--report", request.report.file, "HTML report to write: the anomalies and their reasons")
      ->type_name("FILE");
  add_report_flags(verb, request.report);
  verb.add_option("--model", request.model_file, "where to save the model, for `pidforest score`")->type_name("MODEL");
  verb.add_option("--color", request.colour,
                  "whether to colour the table; auto colours it on a terminal only; default auto")
      ->type_name("auto|always|never");
  verb.add_flag("--wide", request.wide, "do not cut the lines of the table at the width of the terminal");
  verb.add_flag("--json", request.json, "print one JSON document");
  add_fail_flag(verb, request.fail_on_anomaly);
}

}  // namespace

void run_detect(DetectRequest& request) {
  request.training.series.are_rows_in_time = request.incidents || request.in_time.alerts_per_day;
  check(request);
  const TableStyle style{.width = request.wide ? whole_lines : line_width(), .in_colour = wants_colour(request.colour)};
  Work work(request.training.run);
  const Options options = request.training.options.options();
  const Training training = read_training(request.training, request.lines.id, work);
  const Model model = Model::fit(training.fitted(), training.schema, options, work.run());
  const KnownReasons known = read_known_reasons(request.suppress, model.schema(), work.run());
  std::optional<ReportOutput> report;
  if (request.report.is_asked_for()) report.emplace(request.report, request.training.table.shown());
  std::optional<OutputFile> output;
  if (!request.output.empty()) output.emplace(request.output);

  const Scores scores = score_rows(training, request.training.series.alignment(), model, known, work);
  Explainer explainer = Explainer::of_scored(model, scores.scored);
  Detection detection{.model = model,
                      .preset = request.training.options.preset,
                      .n_features = n_used(training.schema),
                      .n_rows = scores.scored.n_rows(),
                      .numbers = training.numbers,
                      .labels = training.labels,
                      .quality = quality_of(scores, training.labels)};
  find(request, training, explainer, scores, detection, work);
  if (!request.lines.id.empty()) detection.ids = ids_of(scores.rows, request.lines.id, detection.found.rows);
  if (output) write_lines(request, scores, training.numbers, detection.found.rule, *output);
  work.end_progress();
  if (output) output->commit();
  if (!request.model_file.empty()) model.save(request.model_file);
  work.say(summary_of(training, options));
  describe(request, detection, work);
  print(request, detection, style);
  const SeriesFlags& series = request.training.series;
  if (report)
    report->write(explainer, scores,
                  report_options(training, series, request.lines.id, detection.found.rule.min_bits,
                                 request.in_time.options(series.time, series.by, request.min_bits)),
                  work);
  if (request.fail_on_anomaly && detection.found.n_anomalies > 0) throw AnomaliesFound();
}

void add_detect(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("detect", "Find the anomalous rows of a file");
  const auto request = std::make_shared<Request>();
  add_own_flags(*verb, *request);
  add_training_flags(*verb, request->training);
  add_series_flags(*verb, request->training.series);
  add_incident_flags(*verb, request->in_time);
  verb->footer(
      "Example:\n  pidforest detect examples/fleet.csv --label fault --top 5\n"
      "  pidforest detect examples/fleet.csv --label fault --report report.html\n"
      "  pidforest detect examples/fleet.csv --where \"machine in {6, 7} and cpu > 20\" --columns \"cpu,network_*\"\n"
      "  pidforest detect examples/traffic.csv --label fault --window 4 --time time --by host --max-gap 15min\n"
      "  pidforest detect examples/traffic.csv --label fault --window 4 --time time --by host --incidents "
      "--alerts-per-day 0.2");
  verb->callback([request] { run_detect(*request); });
}

}  // namespace pidforest::cli
