// SPDX-License-Identifier: Apache-2.0
// The verb `detect`: fit a forest on a file, score its rows, print the rarest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flags/labels.h"
#include "flags/suppression.h"
#include "in/schema_file.h"
#include "in/scored_rows.h"
#include "in/training.h"
#include "out/detect_output.h"
#include "out/output_file.h"
#include "out/printable.h"
#include "out/reason.h"
#include "out/report_output.h"
#include "out/score_lines.h"
#include "out/terminal.h"
#include "out/top_rows.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "pidforest/table.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  TrainingFlags training;
  std::string model_file;
  std::string output;
  ReportFlags report;
  ScoreLineFlags lines;
  std::string colour = "auto";
  std::size_t top = 10;
  std::optional<double> min_bits;
  std::string suppress;
  bool incidents = false;
  bool json = false;

  [[nodiscard]] std::vector<std::string> carried() const {
    return lines.id.empty() ? std::vector<std::string>{} : std::vector{lines.id};
  }
};

/// Scores all rows: into the output file, if one was asked for, and the rarest into the detection.
class Scoring {
 public:
  Scoring(const Request& request, const Training& training, const Model& model, Work& work)
      : request_(request),
        training_(training),
        model_(model),
        work_(work),
        known_(request.suppress, model.schema(), work.run()),
        scored_(training, request.training.series.alignment(), model, known_, work),
        top_(request.incidents ? 0 : request.top) {
    if (request.report.is_asked_for()) report_.emplace(request.report, request.training.table.file);
  }

  Detection detect() {
    found_ = {.preset = request_.training.options.preset,
              .options = model_.options(),
              .n_rows = training_.fitted().n_rows(),
              .n_features = n_used(training_.schema),
              .mark = {.threshold = model_.threshold(), .min_bits = request_.min_bits},
              .has_id = !request_.lines.id.empty(),
              .has_labels = request_.training.has_label()};
    score_rows();
    if (found_.has_labels) found_.quality = ranking_quality(scores_, labels_);
    return found_;
  }

  /// If one was asked for. After `detect`.
  void write_report() {
    if (!report_) return;
    report_->write(model_,
                   {.rows = training_.rows,
                    .scored = training_.fitted(),
                    .scored_rows = scored_.scored_rows(),
                    .labels = training_.labels,
                    .declared = training_.declared,
                    .series = request_.training.series},
                   request_.min_bits, request_.lines.id, work_);
  }

 private:
  void score_rows() {
    const ScoreLines lines(request_.lines, found_.mark);
    std::optional<OutputFile> output;
    if (!request_.output.empty()) output.emplace(request_.output);
    if (output) output->write(lines.header(training_.rows.header()));
    std::uint64_t first = 0;
    training_.rows.for_each([&](const Table& batch) {
      const auto [bits, is_known] = scored_.of(batch, first);
      if (report_) report_->add(bits, is_known);
      for (std::size_t i = 0; i < bits.size(); ++i) {
        if (output) output->write(lines.line(batch, i, first + i, bits[i], is_known[i]));
        if (!std::isnan(bits[i])) keep({bits[i], first + i}, is_known[i], batch, i);
      }
      first += bits.size();
      work_.show({"scoring", first, training_.rows.n_rows()});
    });
    if (request_.incidents)
      find_incidents_of_all();
    else
      describe_top();
    work_.end_progress();
    if (output) output->commit();
  }

  [[nodiscard]] std::string id_of(const Table& batch, std::size_t i) const {
    return found_.has_id ? text_of(column_of(batch, request_.lines.id, "--id"), i) : "";
  }

  /// It is row `i` of the batch.
  void keep(TopRow one, bool is_known, const Table& batch, std::size_t i) {
    if (found_.has_labels) scores_.push_back(one.bits);
    if (found_.has_labels) labels_.push_back(training_.labels[one.row]);
    const bool is_anomaly = found_.mark.is_anomaly(one.bits).value_or(false);
    if (is_known) {
      found_.n_known += is_anomaly ? 1 : 0;
      return;
    }
    found_.n_anomalies += is_anomaly ? 1 : 0;
    if (is_anomaly && request_.incidents) found_.anomalies.push_back(one);
    if (!top_.would_keep(one.bits, one.row)) return;
    one.line = id_of(batch, i);
    top_.add(std::move(one));
  }

  /// Puts rows into the order of those that the model was fitted on, and takes what it has seen of them.
  [[nodiscard]] TableStore values_of(std::vector<TopRow>& found) const {
    const auto scored_row = [&](const TopRow& one) { return scored_.scored_row(one.row); };
    std::ranges::stable_sort(found, {}, scored_row);
    std::vector<std::uint64_t> numbers;
    numbers.reserve(found.size());
    for (const TopRow& one : found) numbers.push_back(scored_row(one));
    return rows_at(training_.fitted(), numbers);
  }

  /// Goes through the rows again for the values of the rarest, and once more to count their witnesses.
  void describe_top() {
    std::vector<TopRow> top = top_.take();
    if (top.empty()) return;
    const TableStore rows = values_of(top);
    Explainer explainer(model_, training_.fitted(), work_.run());
    explainer.prepare(rows, work_.run());
    rows.for_each([&](const Table& batch) {
      const Explanations explained = explainer.explain(batch, work_.silent_run());
      for (std::size_t i = 0; i < batch.n_rows(); ++i)
        found_.top.push_back(described(top[found_.top.size()], batch.rows(i, i + 1), explained, i));
    });
    std::ranges::sort(found_.top, [](const DetectedRow& a, const DetectedRow& b) {
      return TopRow{a.bits, a.row} < TopRow{b.bits, b.row};
    });
  }

  void find_incidents_of_all() {
    if (found_.anomalies.empty()) return;
    Explainer explainer(model_, training_.fitted(), work_.run());
    const TableStore rows = values_of(found_.anomalies);
    std::vector<double> bits;
    bits.reserve(found_.anomalies.size());
    for (const TopRow& one : found_.anomalies) bits.push_back(one.bits);
    found_.incidents = find_incidents(model_, rows, bits, explainer, work_.run());
  }

  /// `row` is row `i` of those that were explained.
  [[nodiscard]] DetectedRow described(const TopRow& one, const Table& row, const Explanations& explained,
                                      std::size_t i) const {
    const Schema& schema = model_.schema();
    DetectedRow found{.row = one.row, .bits = one.bits};
    found.id = one.line;
    if (found_.has_labels) found.label = training_.labels[one.row];
    found.witness = explained.witnesses[explained.witness_of[i]];
    found.columns = column_bits_of(explained, i);
    const bool has_witness = !found.witness.conditions.empty();
    const std::string columns = printable(to_words(found.columns, schema, row, one.bits));
    found.words = has_witness ? printable(to_words(found.witness, schema)) : columns;
    found.few_words = has_witness ? few_words_of(found.witness, schema) : columns;
    return found;
  }

  const Request& request_;
  const Training& training_;
  const Model& model_;
  Work& work_;
  Suppression known_;
  ScoredRows scored_;
  Detection found_;
  std::optional<ReportOutput> report_;
  TopRows top_;
  /// All scores that there are, and what the labels say of them.
  std::vector<double> scores_;
  std::vector<bool> labels_;
};

void describe(const Request& request, const Detection& found, Work& work) {
  if (found.mark.is_anomaly(0))
    work.say(fmt::format("{} anomal{} ({} {:.2f} bits)", found.n_anomalies, found.n_anomalies == 1 ? "y" : "ies",
                         request.min_bits ? "at least" : "more than", found.mark.border().value_or(0)));
  if (found.n_known > 0) work.say(fmt::format("{} more suppressed by {}", found.n_known, request.suppress));
  if (found.has_labels && !found.quality)
    work.say(fmt::format("column '{}' has only one label value: AUC and average precision are undefined",
                         request.training.label));
}

void check(const Request& request) {
  request.training.check();
  request.report.check();
  if (request.report.file == "-")
    throw InvalidOption("--report must be a file: the table goes to standard output. See `pidforest report`.");
  const Options options = request.training.options.options();
  if (request.incidents && !request.min_bits && options.contamination == Options::none)
    throw InvalidOption("--incidents requires a threshold: --contamination other than none, or --min-bits.");
}

void detect(const Request& request) {
  check(request);
  const TableStyle style{.width = line_width(), .in_colour = wants_colour(request.colour)};
  Work work(request.training.run);
  const Options options = request.training.options.options();
  const Training training = read_training(request.training, request.carried(), work);
  const Model model = Model::fit(training.fitted(), training.schema, options, work.run());
  Scoring scoring(request, training, model, work);
  const Detection found = scoring.detect();
  work.end_progress();
  if (!request.model_file.empty()) model.save(request.model_file);
  work.say(summary_of(training, options));
  describe(request, found, work);
  if (request.incidents)
    write_stdout(request.json ? incidents_as_json(found, model.schema())
                              : incidents_as_table(found, request.top, model.schema(), style));
  else
    write_stdout(request.json ? as_json(found, model.schema()) : as_table(found, style));
  scoring.write_report();
}

void add_own_flags(CLI::App& verb, Request& request) {
  verb.add_option("--top", request.top, "number of rows or incidents to print; default 10")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000'000));
  add_min_bits_flag(verb, request.min_bits);
  add_suppress_flag(verb, request.suppress);
  verb.add_flag("--incidents", request.incidents, "group the anomalies by reason and list the groups instead of rows");
  verb.add_option("--id", request.lines.id, "row identifier; not used as a feature unless the schema lists it")
      ->type_name("COL");
  verb.add_option("--output", request.output, "CSV file for the scores of all rows: row or id, score, is_anomaly")
      ->type_name("FILE");
  verb.add_flag("--excel-safe", request.lines.excel_safe,
                "put an apostrophe before text values in --output that begin with = + - @");
  verb.add_option("--report", request.report.file, "HTML report to write: the anomalies and their reasons")
      ->type_name("FILE");
  add_report_flags(verb, request.report);
  verb.add_option("--model", request.model_file, "where to save the model, for `pidforest score`")->type_name("MODEL");
  verb.add_option("--color", request.colour,
                  "whether to colour the table; auto colours it on a terminal only; default auto")
      ->type_name("auto|always|never");
  verb.add_flag("--json", request.json, "print one JSON document");
}

}  // namespace

void add_detect(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("detect", "Find the anomalous rows of a file");
  const auto request = std::make_shared<Request>();
  add_own_flags(*verb, *request);
  add_training_flags(*verb, request->training);
  add_series_flags(*verb, request->training.series);
  verb->footer(
      "Example:\n  pidforest detect examples/fleet.csv --label fault --top 5\n"
      "  pidforest detect examples/fleet.csv --label fault --report report.html\n"
      "  pidforest detect examples/traffic.csv --label fault --window 4 --time time --by host --max-gap 15min");
  verb->callback([request] { detect(*request); });
}

}  // namespace pidforest::cli
