// SPDX-License-Identifier: Apache-2.0
// The verb `inspect`. Prints the contents of a model file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "flags/option_flags.h"
#include "in/stream_note.h"
#include "out/option_value.h"
#include "out/output_file.h"
#include "out/printable.h"
#include "out/text_width.h"
#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "system/read_file.h"
#include "values/number_words.h"
#include "values/span_words.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Request {
  std::string model_file;
  bool json = false;
  bool schema = false;
  bool offsets = false;
};

std::uint64_t n_nodes(const Model& model) {
  std::uint64_t n = 0;
  for (const auto& tree : model.counts().trees) n += tree.size();
  return n;
}

std::uint64_t n_rows(const Model& model) {
  const auto& trees = model.counts().trees;
  return trees.empty() || trees.front().empty() ? 0 : trees.front().front();
}

/// What a column has besides its kind: "12 levels", "period 24".
std::string details_of(const ColumnSchema& column) {
  std::vector<std::string> details;
  if (!column.levels.empty()) details.push_back(fmt::format("{} levels", column.levels.size()));
  if (column.range) details.push_back(fmt::format("{} to {}", column.range->first, column.range->second));
  if (column.period > 0) details.push_back(fmt::format("period {}", column.period));
  if (!column.zone.empty()) details.push_back(column.zone);
  if (!column.unit.empty()) details.push_back(column.unit);
  return fmt::format("{}", fmt::join(details, ", "));
}

/// The options that are not those of the default preset.
std::vector<std::string> changed_options(const Options& options) {
  std::vector<std::string> changed;
  for (const OptionSpec& spec : option_specs())
    if (spec.get(options) != spec.get(Options()))
      changed.push_back(fmt::format("{} {}", spec.name, spec.text(options)));
  return changed;
}

std::string threshold_text(const Model& model) {
  const auto spec = std::ranges::find(option_specs(), "contamination", &OptionSpec::name);
  if (!model.threshold()) return "none";
  return fmt::format("{:.4f} bits (contamination {})", *model.threshold(), spec->text(model.options()));
}

/// "windows    of 4 samples, 15 min apart, time time, by host, views residual": what rows were made of.
std::string windows_text(const Schema& schema) {
  if (!schema.windows) return "";
  const WindowRecipe& recipe = *schema.windows;
  std::vector<std::string> parts;
  const auto names = [](const std::vector<ColumnSchema>& metrics) {
    std::vector<std::string> found;
    for (const ColumnSchema& metric : metrics) found.push_back(printable(metric.name));
    return found;
  };
  if (is_context(recipe))
    parts.push_back(fmt::format("context    of {}", fmt::join(names(recipe.metrics), ", ")));
  else
    parts.push_back(fmt::format("windows    of {} of {}", values::counted(recipe.window, "sample"),
                                fmt::join(names(recipe.metrics), ", ")));
  if (recipe.step > 0) parts.push_back(values::span_words(recipe.step) + " apart");
  if (!recipe.time.name.empty()) parts.push_back("time " + printable(recipe.time.name));
  if (!recipe.by.empty()) parts.push_back("by " + printable(recipe.by));
  if (recipe.max_gap) parts.push_back("gaps longer than " + values::span_words(*recipe.max_gap));
  if (!is_context(recipe)) parts.push_back(fmt::format("views {}", fmt::join(recipe.views, ",")));
  if (!recipe.means.empty()) parts.push_back(fmt::format("means {}", fmt::join(recipe.means, ",")));
  if (recipe.calendar) parts.emplace_back("calendar");
  return fmt::format("{}\n", fmt::join(parts, "; "));
}

std::string columns_text(const Schema& schema) {
  std::size_t width = 0;
  for (const ColumnSchema& column : schema.columns) width = std::max(width, text_width(printable(column.name)));
  std::string text;
  for (const ColumnSchema& column : schema.columns) {
    const std::string name = printable(column.name);
    std::string line = fmt::format("  {}{:{}}  {:<10}  {}", name, "", width - text_width(name), name_of(column.kind),
                                   printable(details_of(column)));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// "isolated   2\n  wind_speed > 40: only 1 of 26,115 rows ..."; nothing if there are none.
std::string isolated_text(const Model& model) {
  const std::vector<Witness> isolated = isolated_values(model);
  if (isolated.empty()) return "";
  std::string text = fmt::format("isolated   {}\n", isolated.size());
  for (const Witness& witness : isolated) text += "  " + printable(to_words(witness, model.schema())) + "\n";
  return text;
}

/// The rarest pairs; --json has all that the model keeps.
std::string rare_pairs_text(const Model& model) {
  constexpr std::size_t most_shown = 8;
  const std::vector<Witness> pairs = rare_pairs(model);
  if (pairs.empty()) return "";
  std::string text = fmt::format("rare       {} of values\n", values::counted(pairs.size(), "pair"));
  for (std::size_t i = 0; i < std::min(pairs.size(), most_shown); ++i)
    text += "  " + printable(to_words(pairs[i], model.schema())) + "\n";
  return text;
}

/// The strongest relations; --json has all that the model keeps.
std::string relations_text(const Model& model) {
  constexpr std::size_t most_shown = 8;
  const std::vector<RelatedColumns> related = related_columns(model);
  if (related.empty()) return "";
  std::string text = fmt::format("related    {} of columns\n", values::counted(related.size(), "pair"));
  for (std::size_t i = 0; i < std::min(related.size(), most_shown); ++i)
    text += fmt::format("  {} and {} ({:.2f} nats)\n", printable(related[i].first), printable(related[i].second),
                        related[i].information);
  return text;
}

std::string as_text(const Request& request, const Model& model) {
  const std::vector<std::string> changed = changed_options(model.options());
  const std::string options = changed.empty() ? "all at their defaults" : fmt::format("{}", fmt::join(changed, ", "));
  const std::optional<std::uint64_t> size = system::file_size(request.model_file);
  return fmt::format("file       {}{}\n", printable(request.model_file), size ? fmt::format(", {} bytes", *size) : "") +
         fmt::format("rows       {} counted\n", n_rows(model)) +
         fmt::format("trees      {} with {} nodes\n", model.counts().trees.size(), n_nodes(model)) +
         fmt::format("threshold  {}\noptions    {}\n", threshold_text(model), options) + windows_text(model.schema()) +
         fmt::format("columns    {}\n", model.schema().columns.size()) + columns_text(model.schema()) +
         isolated_text(model) + relations_text(model) + rare_pairs_text(model);
}

std::string as_json(const Request& request, const Model& model) {
  Json document = Json::object();
  const std::optional<std::uint64_t> size = system::file_size(request.model_file);
  document["bytes"] = size ? Json(*size) : Json(nullptr);
  document["rows"] = n_rows(model);
  document["trees"] = model.counts().trees.size();
  document["nodes"] = n_nodes(model);
  document["threshold"] = model.threshold() ? Json(*model.threshold()) : Json(nullptr);
  document["options"] = options_as_json(model.options());
  document["isolated"] = Json::array();
  for (const Witness& witness : isolated_values(model)) document["isolated"].push_back(Json::parse(to_json(witness)));
  document["relations"] = Json::array();
  for (const RelatedColumns& one : related_columns(model))
    document["relations"].push_back({{"columns", {one.first, one.second}}, {"nats", one.information}});
  document["rare_pairs"] = Json::array();
  for (const Witness& witness : rare_pairs(model)) document["rare_pairs"].push_back(Json::parse(to_json(witness)));
  document["schema"] = Json::parse(to_json(model.schema()));
  return document.dump(2) + "\n";
}

/// A line per partition of a stream's state: its name, and the offset after its last event.
std::string offsets_of(const std::string& path) {
  const std::string text = KeyedStreams::load(path, std::numeric_limits<std::size_t>::max()).second;
  std::string lines;
  for (const auto& [partition, offset] : read_note(text, path).offsets)
    lines += fmt::format("{} {}\n", printable(partition), offset + 1);
  return lines;
}

void inspect(const Request& request) {
  if (request.offsets) return write_stdout(offsets_of(request.model_file));
  const Model model = Model::load(request.model_file);
  if (request.schema) return write_stdout(to_json(model.schema()));
  write_stdout(request.json ? as_json(request, model) : as_text(request, model));
}

}  // namespace

void add_inspect(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("inspect", "Print a summary of a model file");
  const auto request = std::make_shared<Request>();
  add_model_argument(*verb, request->model_file);
  verb->add_flag("--schema", request->schema, "print only the schema, for editing and for --schema");
  verb->add_flag("--json", request->json, "print one JSON document");
  verb->add_flag("--offsets", request->offsets,
                 "MODEL is the state of `stream --offsets`: print each partition and its next offset");
  verb->footer(
      "Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf\n"
      "  pidforest inspect fleet.pidf");
  verb->callback([request] { inspect(*request); });
}

}  // namespace pidforest::cli
