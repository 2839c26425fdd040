// SPDX-License-Identifier: Apache-2.0
// The verb `report`: a page on the rows of a file that are rare by a model.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flags/min_bits_flag.h"
#include "flags/option_flags.h"
#include "flags/series_flags.h"
#include "flags/suppression.h"
#include "in/table_input.h"
#include "in/training.h"
#include "out/report_output.h"
#include "out/work.h"
#include "pidforest/model.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  std::string model_file;
  TableFlags table;
  RunFlags run;
  ReportFlags report{.file = "report.html", .sql = {}, .title = {}};
  std::string id;
  std::string label;
  std::string suppress;
  std::optional<double> min_bits;
  /// Where the rows of the file are samples: how windows are made of them.
  SeriesFlags series;
  std::vector<std::string> ignore;
};

void check(const Request& request) {
  (void)request.table.text_format();
  request.report.check();
  request.series.check();
  request.series.check_ignored(request.ignore);
}

/// The rows as `detect` would read them; of a table, those columns that the model knows.
Training read_rows(const Request& request, const Model& model, Work& work) {
  TrainingFlags flags;
  flags.table = request.table;
  flags.series = request.series;
  flags.ignore = request.ignore;
  flags.label = request.label;
  std::vector<std::string> carried;
  if (!request.id.empty()) carried.push_back(request.id);
  return read_training(flags, carried, work, request.series.is_series() ? nullptr : &model.schema());
}

void report(const Request& request) {
  check(request);
  Work work(request.run);
  const Model model = Model::load(request.model_file);
  const KnownReasons known = read_known_reasons(request.suppress, model.schema(), work.run());
  ReportOutput output(request.report, request.table.file);
  const Training training = read_rows(request, model, work);
  const Scores scores = score_rows(training, request.series.alignment(), model, known, work);
  Explainer explainer = Explainer::of_scored(model, scores.scored);
  output.write(explainer, scores, report_options(training, request.series, request.id, request.min_bits), work);
}

}  // namespace

void add_report(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("report", "Write an HTML report on the anomalies of a file, using a saved model");
  const auto request = std::make_shared<Request>();
  add_model_argument(*verb, request->model_file);
  add_table_flags(*verb, request->table);
  verb->add_option("--output,-o", request->report.file,
                   "HTML file, written completely or not at all; default report.html; - is standard output")
      ->type_name("FILE");
  add_report_flags(*verb, request->report);
  verb->add_option("--id", request->id, "row identifier, shown with each row")->type_name("COL");
  verb->add_option("--label", request->label, "column of known labels, 0 or 1 (1 = anomaly), shown beside the scores")
      ->type_name("COL");
  add_min_bits_flag(*verb, request->min_bits);
  add_suppress_flag(*verb, request->suppress);
  add_run_flags(*verb, request->run);
  add_series_flags(*verb, request->series);
  add_ignore_flag(*verb, request->ignore);
  verb->footer(
      "The report is one self-contained HTML file. It lists the anomalies and draws their reasons over the "
      "distribution of\n"
      "all rows of FILE. The counts of reasons are of the rows of the fit.\n\n"
      "Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf\n"
      "  pidforest report fleet.pidf examples/fleet.csv --label fault -o report.html");
  verb->callback([request] { report(*request); });
}

}  // namespace pidforest::cli
