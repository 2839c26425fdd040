// SPDX-License-Identifier: Apache-2.0
// The verb `compare`. Says which columns of a file differ from the rows of a fit.
#include "pidforest/compare.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "flags/exit_codes.h"
#include "flags/named_files.h"
#include "flags/option_flags.h"
#include "in/training.h"
#include "out/output_file.h"
#include "out/printable.h"
#include "out/terminal.h"
#include "out/text_width.h"
#include "out/work.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "values/number_words.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Request {
  ModelVerbFlags model;
  double level = 0.01;
  bool all = false;
  bool json = false;
  bool fail_on_change = false;
};

Json range_as_json(const std::optional<std::pair<double, double>>& range) {
  return range ? Json{range->first, range->second} : Json(nullptr);
}

Json column_as_json(const ColumnChange& one) {
  Json json{{"column", one.column}, {"is_changed", one.is_changed}, {"p", one.p}, {"words", one.words}};
  json["missing_then"] = one.missing_then;
  json["missing_now"] = one.missing_now;
  if (one.range_then) {
    json["range_then"] = range_as_json(one.range_then);
    json["range_now"] = range_as_json(one.range_now);
    json["n_beyond_range"] = one.n_beyond_range;
  }
  json["n_new_levels"] = one.n_new_levels;
  json["vanished"] = one.vanished;
  if (one.shift)
    json["shift"] = Json{{"conditions", Json::parse(to_json(std::span(&one.shift->condition, 1)))},
                         {"share_then", one.shift->share_then},
                         {"share_now", one.shift->share_now}};
  return json;
}

std::string as_json(const TableComparison& found) {
  Json document{{"n_then", found.n_then}, {"n_now", found.n_now}, {"n_changed", found.n_changed()}};
  document["anomalies_now"] = found.anomalies_now ? Json(*found.anomalies_now) : Json(nullptr);
  document["columns"] = Json::array();
  for (const ColumnChange& one : found.columns) document["columns"].push_back(column_as_json(one));
  return document.dump(2) + "\n";
}

/// A line per column, the strongest change first.
std::string as_lines(const TableComparison& found, bool all) {
  std::string text;
  for (const ColumnChange& one : found.columns)
    if (one.is_changed || all)
      text +=
          fmt::format("{} column {}: {}\n", one.is_changed ? "*" : " ", printable(one.column), printable(one.words));
  return text;
}

void compare(Request& request) {
  request.model.check();
  const VerbFiles files{.inputs = request.model.inputs_with("", "")};
  files.check();
  Work work(request.model.input.run);
  const Model model = Model::load(request.model.model_file);
  request.model.take(model.schema());
  const TrainingFlags& input = request.model.input;
  const Training training = read_training(input, "", work, &model.schema());
  const TableComparison found = pidforest::compare(model, training.fitted(), request.level, work.run());
  work.end_progress();
  work.say(fmt::format(
      "{} of {} changed ({} in the fit, {} now{})", found.n_changed(), values::counted(found.columns.size(), "column"),
      values::counted(found.n_then, "row"), found.n_now,
      found.anomalies_now ? fmt::format("; {} of them anomalies",
                                        *found.anomalies_now == 0 ? "none" : values::share_words(*found.anomalies_now))
                          : ""));
  write_stdout(request.json ? as_json(found) : as_lines(found, request.all));
  if (request.fail_on_change && found.n_changed() > 0) throw AnomaliesFound();
}

}  // namespace

void add_compare(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("compare", "Say which columns of a file differ from the rows of a model's fit");
  const auto request = std::make_shared<Request>();
  add_model_verb_flags(*verb, request->model);
  verb->add_option("--level", request->level,
                   "chance of a false alarm, over all columns together; between 0 and 1; default 0.01")
      ->type_name("X")
      ->check(number());
  verb->add_flag("--all", request->all, "list all columns; those that have changed have a star");
  verb->add_flag("--json", request->json, "print one JSON document");
  verb->add_flag("--fail-on-change", request->fail_on_change, "exit with code 10 if at least one column has changed");
  add_run_flags(*verb, request->model.input.run);
  add_series_flags(*verb, request->model.input.series);
  add_ignore_flag(*verb, request->model.input.ignore);
  verb->footer(
      "Compares missing values, levels, ranges and shares with the rows of the fit, which the model has counted, and\n"
      "lists the columns that have changed, the strongest change first.\n\n"
      "Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf\n"
      "  pidforest compare fleet.pidf examples/fleet.csv --where \"machine = 3\"");
  verb->callback([request] { compare(*request); });
}

}  // namespace pidforest::cli
