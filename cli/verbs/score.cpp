// SPDX-License-Identifier: Apache-2.0
// The verb `score`. Scores the rows of a file by a model, row by row in constant memory.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "flags/exit_codes.h"
#include "flags/named_files.h"
#include "flags/option_flags.h"
#include "flags/series_flags.h"
#include "flags/suppression.h"
#include "in/table_input.h"
#include "in/training.h"
#include "out/output_file.h"
#include "out/score_lines.h"
#include "out/work.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "verbs/row_reasons.h"
#include "verbs/score_table.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  ModelVerbFlags model;
  ScoreLineFlags lines;
  std::string output = "-";
  std::string suppress;
  std::optional<std::size_t> top;
  /// The table to write to in the database of --db.
  std::string into;
  bool replace = false;
  bool fail_on_anomaly = false;
};

void check_into(const Request& request) {
  if (request.replace && request.into.empty()) throw InvalidOption("--replace requires --into, the table to replace.");
  if (request.into.empty()) return;
  if (request.model.input.table.db.empty()) throw InvalidOption("--into requires --db, the database of the table.");
  if (request.into.find('.') != std::string::npos)
    throw InvalidOption(
        fmt::format("--into must be the name of a table without that of a schema; got '{}'. In PostgreSQL, add "
                    "?options=-csearch_path%3DSCHEMA to --db.",
                    request.into));
  if (request.output != "-" || request.lines.append || request.lines.reason || request.lines.json ||
      request.lines.excel_safe || request.top)
    throw InvalidOption(
        "--into cannot be combined with --output, --append, --json, --reason, --excel-safe or --top: all scores "
        "go to the table, with reasons.");
}

void check(const Request& request) {
  request.model.check(!request.into.empty());
  check_into(request);
  if (request.lines.append && request.lines.json)
    throw InvalidOption("--append and --json cannot be combined; use --id to copy a key into the JSON lines.");
  if (request.lines.append && !request.lines.id.empty())
    throw InvalidOption("--append and --id cannot be combined: --append copies all columns.");
  const VerbFiles files{.inputs = request.model.inputs_with("--suppress", request.suppress),
                        .outputs = {{"--output", request.output}}};
  files.check();
}

/// Checks what --append cannot be combined with, once it is known how the table of the fit was written.
void check_append(const Request& request) {
  if (!request.lines.append) return;
  if (request.model.input.series.is_derived())
    throw InvalidOption("--append cannot be combined with --window or --context; use --id to copy a key.");
  if (request.model.input.table.decimal == ",")
    throw InvalidOption("--append and --decimal , cannot be combined; use --id to copy a key.");
}

/// The columns to read: those of the model, and those to carry, as the texts that they are.
ColumnSelection selection_of(const Request& request, const Schema& schema) {
  ColumnSelection selection{.schema = &schema};
  if (!request.lines.id.empty()) selection.as_text.push_back(request.lines.id);
  selection.all_as_text = request.lines.append;
  return selection;
}

/// Lines in the order of the file, or the rarest rows first.
class ScoreOutput {
 public:
  ScoreOutput(const Request& request, const AnomalyRule& rule)
      : rule_(rule), lines_(request.lines, rule), file_(request.output), top_(request.top) {}

  void begin(const Table& table) { file_.write(lines_.header(table)); }
  /// Rows must come in the order of the file.
  void add(const Table& batch, std::size_t i, std::uint64_t row, const ScoreLines::Said& said) {
    has_anomaly_ |= rule_.is_anomaly(said.score, said.is_suppressed).value_or(false);
    if (!top_)
      file_.write(lines_.line(batch, i, row, said));
    else if (!std::isnan(said.score) && !said.is_suppressed)
      keep(*top_, said.score, [&] { return lines_.line(batch, i, row, said); });
  }
  void end() {
    for (const Line& one : rarest_) file_.write(one.text);
    file_.commit();
  }
  /// Whether any row that was added is an anomaly.
  [[nodiscard]] bool has_anomaly() const { return has_anomaly_; }

 private:
  struct Line {
    double bits;
    std::string text;

    bool operator<(const Line& other) const { return bits > other.bits; }
  };

  /// Keeps at most `most` lines. Among equal scores the first rows are kept, in their order.
  void keep(std::size_t most, double bits, const std::function<std::string()>& text) {
    if (most == 0 || (rarest_.size() == most && bits <= rarest_.rbegin()->bits)) return;
    if (rarest_.size() == most) rarest_.erase(std::prev(rarest_.end()));
    rarest_.insert({bits, text()});
  }

  AnomalyRule rule_;
  ScoreLines lines_;
  OutputFile file_;
  std::optional<std::size_t> top_;
  std::multiset<Line> rarest_;
  bool has_anomaly_ = false;
};

/// Scores the samples of series by the windows that the flags make of them, as `detect` does.
void score_series(const Request& request, const Model& model, const KnownReasons& known, RowReasons& reasons,
                  ScoreOutput& output, Work& work) {
  const TrainingFlags& input = request.model.input;
  const Training training =
      read_training(input, request.lines.id, work, input.series.fitted ? &model.schema() : nullptr);
  const Scores scores = score_rows(training, input.series.alignment(), model, known, work);
  const std::vector<std::string> words = reasons.of(scores, work);
  output.begin(training.rows->header());
  std::uint64_t row = 0;
  training.rows->for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i, ++row)
      output.add(batch, i, training.numbers.of(row), {scores.bits[row], scores.is_suppressed(row), words[row]});
  });
}

void score_file(const Request& request, const Model& model, const KnownReasons& known, RowReasons& reasons,
                ScoreOutput& output, Work& work) {
  bool has_begun = false;
  const auto score_batch = [&](const Table& batch, const RowNumbers& numbers) {
    if (!std::exchange(has_begun, true)) output.begin(batch);
    const Batches& rows = batch;
    const Scores scores = score_table(model, rows, known, work.silent_run());
    const std::vector<std::string> words = reasons.of(scores, work);
    for (std::size_t i = 0; i < scores.bits.size(); ++i)
      output.add(batch, i, numbers.of(i), {scores.bits[i], scores.is_suppressed(i), words[i]});
  };
  read_batches(request.model.input.table, selection_of(request, model.schema()), work, score_batch);
  if (!has_begun) throw InvalidInput("the table has no rows; there is nothing to score.");
}

/// Scores all rows, explains the anomalies, and writes them to a table of the database.
void score_into(const Request& request, const Model& model, const KnownReasons& known, const AnomalyRule& rule,
                Work& work) {
  const TrainingFlags& input = request.model.input;
  const ScoreTable table({.address = DatabaseAddress(input.table.db),
                          .driver = input.table.is_parquet() ? "" : input.table.driver,
                          .name = request.into,
                          .replaces = request.replace},
                         work);
  const Training training =
      read_training(input, request.lines.id, work, input.series.is_made_anew() ? nullptr : &model.schema());
  const Scores scores = score_rows(training, input.series.alignment(), model, known, work);
  RowReasons reasons(Explainer::of_scored(model, scores.scored), rule);
  const std::uint64_t n_anomalies = table.write(
      scores, {.id = request.lines.id, .numbers = training.numbers, .rule = rule, .reasons = reasons.of(scores, work)},
      work);
  if (request.fail_on_anomaly && n_anomalies > 0) throw AnomaliesFound();
}

void score(Request request) {
  check(request);
  Work work(request.model.input.run);
  const Model model = Model::load(request.model.model_file);
  request.model.take(model.schema());
  check_append(request);
  const KnownReasons known = read_known_reasons(request.suppress, model.schema(), work.run());
  const AnomalyRule rule{.threshold = model.threshold(), .min_bits = request.model.min_bits};
  check_fail_flag(request.fail_on_anomaly, rule.limit().has_value());
  if (!request.into.empty()) return score_into(request, model, known, rule, work);
  if (request.lines.reason && !model.has_reasons())
    throw InvalidOption("--reason requires a model with reasons; fit it without --no-reasons.");
  RowReasons reasons(request.lines.reason ? std::optional(Explainer(model)) : std::nullopt, rule);
  ScoreOutput output(request, rule);
  if (request.model.input.series.is_derived())
    score_series(request, model, known, reasons, output, work);
  else
    score_file(request, model, known, reasons, output, work);
  work.end_progress();
  output.end();
  if (request.fail_on_anomaly && output.has_anomaly()) throw AnomaliesFound();
}

void add_output_flags(CLI::App& verb, Request& request) {
  add_output_flag(verb, request.output);
  verb.add_option("--id", request.lines.id, "row identifier, written instead of the row number")->type_name("COL");
  verb.add_flag("--append", request.lines.append,
                "write all columns of the table unchanged, followed by score and is_anomaly");
  verb.add_flag("--json", request.lines.json, "write JSON lines: one object per row with row, id, score, is_anomaly");
  verb.add_flag("--reason", request.lines.reason,
                "add a column with the reason of each anomaly, or of each row if the model has no threshold");
  verb.add_flag("--excel-safe", request.lines.excel_safe,
                "put an apostrophe before text values that begin with = + - @ and are not numbers");
  verb.add_option("--top", request.top, "write only the N rows with the highest scores, highest first")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000'000));
  verb.add_option("--into", request.into,
                  "table of the database --db to write to, in one transaction: row or id, score, is_anomaly, reason")
      ->type_name("TABLE");
  verb.add_flag("--replace", request.replace, "replace the table of --into if it exists");
  add_min_bits_flag(verb, request.model.min_bits);
  add_suppress_flag(verb, request.suppress);
  add_fail_flag(verb, request.fail_on_anomaly);
}

}  // namespace

void add_score(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("score", "Score the rows of a file with a saved model");
  const auto request = std::make_shared<Request>();
  add_model_verb_flags(*verb, request->model);
  add_output_flags(*verb, *request);
  add_run_flags(*verb, request->model.input.run);
  add_series_flags(*verb, request->model.input.series);
  add_ignore_flag(*verb, request->model.input.ignore);
  verb->footer(
      "Writes CSV with the columns row, score (in bits) and is_anomaly (1, 0, or empty without a threshold).\n"
      "With --db and --into, writes a table of a database: docs/sources.md.\n\n"
      "Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf\n"
      "  pidforest score fleet.pidf examples/fleet.csv --top 5");
  verb->callback([request] { score(*request); });
}

}  // namespace pidforest::cli
