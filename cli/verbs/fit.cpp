// SPDX-License-Identifier: Apache-2.0
// The verb `fit`. Fits a model to the rows of a file and saves it.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "flags/named_files.h"
#include "in/training.h"
#include "pidforest/error.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  TrainingFlags training;
  std::string model_file;
};

void fit(const Request& request) {
  request.training.check();
  if (!request.training.series.align.empty())
    throw InvalidOption("--align applies to scores, and `fit` computes none; give it to `score`.");
  const VerbFiles files{.inputs = request.training.inputs(), .outputs = {{"--output", request.model_file}}};
  files.check();
  Work work(request.training.run);
  const Options options = request.training.options.options();
  const Training training = read_training(request.training, "", work);
  const Model model = Model::fit(training.fitted(), training.schema, options, work.run());
  work.end_progress();
  model.save(request.model_file);
  work.say(summary_of(training, options));
}

}  // namespace

void add_fit(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("fit", "Fit a model to the rows of a file and save it");
  const auto request = std::make_shared<Request>();
  add_training_flags(*verb, request->training);
  add_series_flags(*verb, request->training.series);
  verb->add_option("-o,--output", request->model_file, "where to save the model, such as fleet.pidf")
      ->type_name("MODEL")
      ->required();
  verb->footer("Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf");
  verb->callback([request] { fit(*request); });
}

}  // namespace pidforest::cli
