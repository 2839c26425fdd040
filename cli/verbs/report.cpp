// SPDX-License-Identifier: Apache-2.0
// The verb `report`. Writes a page on the rows of a file that are rare by a model.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flags/named_files.h"
#include "flags/option_flags.h"
#include "flags/series_flags.h"
#include "flags/suppression.h"
#include "in/table_input.h"
#include "in/training.h"
#include "out/report_output.h"
#include "out/work.h"
#include "pidforest/compare.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  ModelVerbFlags model;
  ReportFlags report{.file = "report.html", .sql = {}, .title = {}};
  std::string id;
  std::string suppress;
};

/// No value for a model that has no profile of its fit. The rows have been scored, so that nothing else can be wrong.
std::optional<TableComparison> changes_since_fit(const Model& model, const Batches& rows, Work& work) {
  try {
    return compare(model, rows, 0.01, work.run());
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

void report(Request request) {
  request.model.check();
  request.report.check();
  const VerbFiles files{.inputs = request.model.inputs_with("--suppress", request.suppress),
                        .outputs = {{"--output", request.report.file}}};
  files.check();
  Work work(request.model.input.run);
  const Model model = Model::load(request.model.model_file);
  const KnownReasons known = read_known_reasons(request.suppress, model.schema(), work.run());
  request.model.take(model.schema());
  const TrainingFlags& input = request.model.input;
  ReportOutput output(request.report, input.table.shown());
  // The rows as `detect` would read them; of a table, the columns that the model knows.
  const Training training =
      read_training(input, request.id, work, input.series.is_made_anew() ? nullptr : &model.schema());
  const Scores scores = score_rows(training, input.series.alignment(), model, known, work);
  Explainer explainer = Explainer::of_scored(model, scores.scored);
  ReportOptions options = report_options(training, input.series, request.id, request.model.min_bits);
  // Windows overlap, which the tests of a comparison do not expect.
  if (!training.series) options.changes = changes_since_fit(model, training.fitted(), work);
  output.write(explainer, scores, std::move(options), work);
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("report", "Write an HTML report on the anomalies of a file, using a saved model");
  const auto request = std::make_shared<Request>();
  add_model_verb_flags(*verb, request->model);
  verb->add_option("--output,-o", request->report.file,
                   "HTML file, written completely or not at all; default report.html; - is standard output")
      ->type_name("FILE");
  add_report_flags(*verb, request->report);
  verb->add_option("--id", request->id, "row identifier, shown with each row")->type_name("COL");
  verb->add_option("--label", request->model.input.label,
                   "column of known labels, 0 or 1 (1 = anomaly), shown beside the scores")
      ->type_name("COL");
  add_min_bits_flag(*verb, request->model.min_bits);
  add_suppress_flag(*verb, request->suppress);
  add_run_flags(*verb, request->model.input.run);
  add_series_flags(*verb, request->model.input.series);
  add_ignore_flag(*verb, request->model.input.ignore);
  verb->footer(
      "The report is one self-contained HTML file. It lists the anomalies and draws their reasons over the "
      "distribution of\n"
      "all rows of FILE. The counts of reasons are of the rows of the fit. SOURCE_DATE_EPOCH sets its time of "
      "creation.\n\n"
      "Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf\n"
      "  pidforest report fleet.pidf examples/fleet.csv --label fault -o report.html");
  verb->callback([request] { report(*request); });
}

}  // namespace pidforest::cli
