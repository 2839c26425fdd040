// SPDX-License-Identifier: Apache-2.0
// The verb `exact`. Finds the sparsest of all cubes that contain a row, for small tables.
#include "pidforest/exact.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "flags/named_files.h"
#include "in/schema_file.h"
#include "in/training.h"
#include "out/output_file.h"
#include "out/printable.h"
#include "pidforest/error.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Request {
  /// Without a label, and without options, as nothing is fitted.
  TrainingFlags training;
  std::vector<std::size_t> rows;
  std::size_t top = 10;
  std::optional<double> seconds;
  std::string ends = "any";
  bool json = false;

  [[nodiscard]] ExactOptions options() const {
    if (ends != "any" && ends != "halfway")
      throw InvalidOption(fmt::format("--ends must be one of any, halfway; got {}.", ends));
    if (seconds && !(*seconds > 0))
      throw InvalidOption(fmt::format("--seconds must be more than 0; got {}.", *seconds));
    return {.ends = ends == "any" ? IntervalEnds::any : IntervalEnds::halfway,
            .top = rows.empty() && top > 0 ? std::optional(top) : std::nullopt,
            .seconds = seconds};
  }
};

struct RankedRow {
  /// From 1.
  std::size_t row;
  ExactScore score;

  [[nodiscard]] double pid_length() const { return std::log2(static_cast<double>(score.cube.n_rows)) - score.bits; }
};

/// The rows that were asked for, those with the most bits first.
std::vector<RankedRow> ranked(const Request& request, const ExactScores& scores, const RowNumbers& numbers) {
  std::vector<RankedRow> rows;
  for (std::size_t i = 0; i < scores.rows.size(); ++i)
    rows.push_back({request.rows.empty() ? numbers.of(i) + 1 : request.rows[i], scores.rows[i]});
  std::ranges::stable_sort(rows, std::greater(), [](const RankedRow& one) { return one.score.bits; });
  if (request.rows.empty()) rows.resize(std::min(rows.size(), request.top));
  return rows;
}

std::string words_of(const Witness& cube, const Schema& schema) {
  return cube.conditions.empty() ? "the whole table" : printable(to_words(cube.conditions, schema));
}

std::string as_table(const std::vector<RankedRow>& rows, const Schema& schema) {
  constexpr const char* line = "{:>4}  {:>6}  {:>5}  {:>8}  {:>9}  {:>6}  ";
  std::string text =
      fmt::format(fmt::runtime(line), "rank", "row", "bits", "at most", "pidLength", "inside") + "cube\n";
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const RankedRow& one = rows[rank];
    const std::string numbers =
        fmt::format(fmt::runtime(line), rank + 1, one.row, fmt::format("{:.2f}", one.score.bits),
                    one.score.is_optimal ? "optimal" : fmt::format("{:.2f}", one.score.upper_bound),
                    fmt::format("{:.2f}", one.pid_length()), one.score.cube.n_inside);
    text += numbers + words_of(one.score.cube, schema) + '\n';
  }
  return text;
}

std::string as_json(const Request& request, const std::vector<RankedRow>& rows, const ExactScores& scores,
                    std::uint64_t n_rows) {
  Json document{{"n", n_rows}, {"d", n_used(scores.schema)}, {"ends", request.ends}, {"top", Json::array()}};
  for (const RankedRow& one : rows)
    document["top"].push_back({{"row", one.row},
                               {"bits", one.score.bits},
                               {"upper_bound", one.score.upper_bound},
                               {"is_optimal", one.score.is_optimal},
                               {"pid_length", one.pid_length()},
                               {"words", words_of(one.score.cube, scores.schema)},
                               {"cube", Json::parse(to_json(one.score.cube))}});
  return document.dump(2) + "\n";
}

void describe(const std::vector<RankedRow>& rows, Work& work) {
  const auto n_open = std::ranges::count_if(rows, [](const RankedRow& one) { return !one.score.is_optimal; });
  if (n_open > 0)
    work.say(fmt::format("time limit reached for {} of {} rows: their cubes are the sparsest found so far", n_open,
                         rows.size()));
}

void score_exactly(const Request& request) {
  request.training.check();
  VerbFiles{.inputs = request.training.inputs()}.check();
  const ExactOptions options = request.options();
  Work work(request.training.run);
  const Training training = read_training(request.training, "", work);
  std::vector<std::size_t> from_0;
  for (const std::size_t row : request.rows) {
    const auto place = training.numbers.place_of(row - 1);
    if (!place) throw InvalidOption(fmt::format("--row must name a row that is read; got {}.", row));
    from_0.push_back(*place);
  }
  const ExactScores scores = exact_scores(*training.rows, training.schema, from_0, options, work.run());
  work.end_progress();
  const std::vector<RankedRow> rows = ranked(request, scores, training.numbers);
  describe(rows, work);
  write_stdout(request.json ? as_json(request, rows, scores, training.rows->n_rows()) : as_table(rows, scores.schema));
}

void add_own_flags(CLI::App& verb, Request& request) {
  verb.add_option("--row", request.rows, "number of a row to score, counted from 1; may be repeated; default all rows")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000))
      ->allow_extra_args(false);
  verb.add_option("--top", request.top, "number of rows to print when all are scored; default 10")
      ->type_name("N")
      ->check(whole_number(1, 1'000'000'000));
  verb.add_option("--seconds", request.seconds,
                  "time limit; then print the sparsest cubes found so far, with an upper bound on the bits")
      ->type_name("X")
      ->check(number());
  verb.add_option("--ends", request.ends,
                  "where intervals of numbers may end: anywhere, or halfway between values; default any")
      ->type_name("any|halfway");
  verb.add_flag("--json", request.json, "print one JSON document");
}

}  // namespace

void add_exact(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("exact", "Find the sparsest of all cubes that contain a row, for small files");
  const auto request = std::make_shared<Request>();
  add_own_flags(*verb, *request);
  add_table_flags(*verb, request->training.table);
  add_choice_flags(*verb, request->training);
  add_schema_flag(*verb, request->training.schema_file);
  add_run_flags(*verb, request->training.run);
  verb->footer(
      "Prints the exact PIDScore, a reference for the scores of a forest: log2(volume * n / rows inside) of the "
      "sparsest\n"
      "cube. pidLength is log2(n) minus the PIDScore. See docs/exact.md.\n\n"
      "Example:\n  pidforest exact examples/animals.csv --top 3");
  verb->callback([request] { score_exactly(*request); });
}

}  // namespace pidforest::cli
