// SPDX-License-Identifier: Apache-2.0
// The verb `detect`: fit a forest on a file, score its rows, print the rarest.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "detect_output.h"
#include "incidents.h"
#include "labels.h"
#include "output_file.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "printable.h"
#include "reason.h"
#include "schema_file.h"
#include "score_lines.h"
#include "suppression.h"
#include "terminal.h"
#include "top_rows.h"
#include "training.h"
#include "verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  TrainingFlags training;
  std::string model_file;
  std::string output;
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
        top_(request.incidents ? 0 : request.top) {}

  Detection detect() {
    found_ = {.preset = request_.training.options.preset,
              .options = model_.options(),
              .n_rows = training_.rows.n_rows(),
              .n_features = n_used(training_.schema),
              .mark = {.threshold = model_.threshold(), .min_bits = request_.min_bits},
              .has_id = !request_.lines.id.empty(),
              .has_labels = request_.training.has_label()};
    score_rows();
    if (found_.has_labels) found_.quality = ranking_quality(scores_, training_.labels);
    return found_;
  }

 private:
  void score_rows() {
    const ScoreLines lines(request_.lines, found_.mark);
    std::optional<OutputFile> output;
    if (!request_.output.empty()) output.emplace(request_.output);
    if (output) output->write(lines.header(training_.rows.columns()));
    std::uint64_t first = 0;
    training_.rows.for_each([&](const Table& batch) {
      const std::vector<double> bits = model_.score(batch, work_.silent_run());
      const std::vector<bool> is_known = known_.matches(batch);
      for (std::size_t i = 0; i < bits.size(); ++i) {
        if (output) output->write(lines.line(batch, i, first + i, bits[i], is_known[i]));
        keep(first + i, bits[i], is_known[i]);
      }
      first += bits.size();
      work_.show({"scoring", first, found_.n_rows});
    });
    if (request_.incidents)
      find_incidents_of(anomalies_);
    else
      describe_top();
    work_.end_progress();
    if (output) output->commit();
  }

  void keep(std::uint64_t row, double bits, bool is_known) {
    if (found_.has_labels) scores_.push_back(bits);
    const bool is_anomaly = found_.mark.is_anomaly(bits).value_or(false);
    if (is_known) {
      found_.n_known += is_anomaly ? 1 : 0;
      return;
    }
    found_.n_anomalies += is_anomaly ? 1 : 0;
    if (is_anomaly && request_.incidents) anomalies_.push_back({bits, row});
    if (top_.would_keep(bits, row)) top_.add({bits, row});
  }

  [[nodiscard]] TableStore values_of(const std::vector<TopRow>& by_row) const {
    std::vector<std::uint64_t> numbers;
    for (const TopRow& one : by_row) numbers.push_back(one.row);
    return rows_at(training_.rows, numbers);
  }

  /// Goes through the rows again for the values of the rarest, and once more to count their witnesses.
  void describe_top() {
    std::vector<TopRow> top = top_.take();
    if (top.empty()) return;
    std::ranges::sort(top, {}, &TopRow::row);
    const TableStore rows = values_of(top);
    Explainer explainer(model_, training_.rows, work_.run());
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

  void find_incidents_of(const std::vector<TopRow>& anomalies) {
    if (anomalies.empty()) return;
    Explainer explainer(model_, training_.rows, work_.run());
    found_.incidents = find_incidents(anomalies, values_of(anomalies), model_, explainer, work_.run());
  }

  /// `row` is row `i` of those that were explained.
  [[nodiscard]] DetectedRow described(const TopRow& one, const Table& row, const Explanations& explained,
                                      std::size_t i) const {
    const Schema& schema = model_.schema();
    DetectedRow found{.row = one.row, .bits = one.bits};
    if (found_.has_id) found.id = text_of(column_of(row, request_.lines.id, "--id"), 0);
    if (found_.has_labels) found.label = training_.labels[one.row];
    found.witness = explained.witnesses[explained.witness_of[i]];
    found.columns = column_bits_of(explained, i, schema.columns.size());
    const bool has_witness = !found.witness.conditions.empty();
    const std::string columns = column_words(found.columns, schema, row, one.bits);
    found.words = has_witness ? printable(to_words(found.witness, schema)) : columns;
    found.few_words = has_witness ? few_words_of(found.witness, schema) : columns;
    return found;
  }

  const Request& request_;
  const Training& training_;
  const Model& model_;
  Work& work_;
  Suppression known_;
  Detection found_;
  TopRows top_;
  /// In the order of the file, for the incidents.
  std::vector<TopRow> anomalies_;
  /// All of them, for the labels.
  std::vector<double> scores_;
};

void describe(const Request& request, const Detection& found, Work& work) {
  if (found.mark.is_anomaly(0))
    work.say(fmt::format("{} row{} with {} {:.2f} bits: anomalies", found.n_anomalies,
                         found.n_anomalies == 1 ? "" : "s", request.min_bits ? "at least" : "more than",
                         request.min_bits ? *request.min_bits : *found.mark.threshold));
  if (found.n_known > 0) work.say(fmt::format("{} more that {} accounts for", found.n_known, request.suppress));
  if (found.has_labels && !found.quality)
    work.say(fmt::format("column '{}' has only one kind of label, so there is no AUC or average precision",
                         request.training.label));
}

void check(const Request& request) {
  request.training.check();
  const Options options = request.training.options.options();
  if (request.incidents && !request.min_bits && options.contamination == Options::none)
    throw InvalidOption("--incidents needs anomalies: --contamination other than none, or --min-bits.");
}

void detect(const Request& request) {
  check(request);
  const TableStyle style{.width = line_width(), .in_colour = wants_colour(request.colour)};
  Work work(request.training.run);
  const Options options = request.training.options.options();
  const Training training = read_training(request.training, request.carried(), work);
  const Model model = Model::fit(training.rows, training.schema, options, work.run());
  const Detection found = Scoring(request, training, model, work).detect();
  work.end_progress();
  if (!request.model_file.empty()) model.save(request.model_file);
  work.say(summary_of(training, options));
  describe(request, found, work);
  if (request.incidents)
    write_stdout(request.json ? incidents_as_json(found, model.schema())
                              : incidents_as_table(found, request.top, model.schema(), style));
  else
    write_stdout(request.json ? as_json(found, model.schema()) : as_table(found, style));
}

void add_own_flags(CLI::App& verb, Request& request) {
  verb.add_option("--top", request.top, "how many rows or incidents to print; default 10")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000'000));
  add_min_bits_flag(verb, request.min_bits);
  add_suppress_flag(verb, request.suppress);
  verb.add_flag("--incidents", request.incidents, "list reasons with all anomalies that they hold in place of rows");
  verb.add_option("--id", request.lines.id, "a column that names the rows, no feature unless a schema calls it one")
      ->type_name("COL");
  verb.add_option("--output", request.output, "a CSV file to write all rows to: row or id, score, is_anomaly")
      ->type_name("FILE");
  verb.add_flag("--excel-safe", request.lines.excel_safe,
                "put an apostrophe before texts in --output that begin with = + - @");
  verb.add_option("--model", request.model_file, "where to save the model, for `pidforest score`")->type_name("MODEL");
  verb.add_option("--color", request.colour, "colours in the table: on a terminal, always or never; default auto")
      ->type_name("auto|always|never");
  verb.add_flag("--json", request.json, "print one JSON document");
}

}  // namespace

void add_detect(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("detect", "Find the rows of a file that are rare");
  const auto request = std::make_shared<Request>();
  add_own_flags(*verb, *request);
  add_training_flags(*verb, request->training);
  verb->footer("Example:\n  pidforest detect examples/fleet.csv --label fault --top 5");
  verb->callback([request] { detect(*request); });
}

}  // namespace pidforest::cli
