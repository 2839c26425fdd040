// SPDX-License-Identifier: Apache-2.0
// The verb `explain`. Explains why rows of a file are rare by a model, with counts that anyone can check.
#include "pidforest/explain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "flags/labels.h"
#include "flags/named_files.h"
#include "flags/option_flags.h"
#include "flags/sql_flag.h"
#include "in/table_input.h"
#include "in/training.h"
#include "out/explained_row.h"
#include "out/output_file.h"
#include "out/work.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "pidforest/table.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  ModelVerbFlags model;
  std::string against;
  std::string id;
  std::string output = "-";
  std::optional<std::size_t> top;
  std::vector<std::uint64_t> rows;
  bool all = false;
  bool anomalies = false;
  std::optional<std::size_t> impostors;
  std::string sql;
  bool json = false;

  [[nodiscard]] std::optional<SqlDialect> dialect() const {
    return sql.empty() ? std::nullopt : std::optional(sql_dialect(sql));
  }
};

void check(const Request& request) {
  request.model.check();
  (void)request.dialect();
  if (request.all && !request.rows.empty())
    throw InvalidOption("--all and --row cannot be combined: --all explains every row.");
  if (request.all && request.top) throw InvalidOption("--all and --top cannot be combined: --all explains every row.");
  if (request.anomalies && (request.all || request.top || !request.rows.empty()))
    throw InvalidOption("--anomalies cannot be combined with --all, --top or --row: it explains every anomaly.");
  if (request.all && request.impostors)
    throw InvalidOption("--all and --impostors cannot be combined: --all explains every row without impostors.");
  if (!request.rows.empty() && request.top)
    throw InvalidOption("--row and --top cannot be combined: --row names the rows to explain.");
  const VerbFiles files{.inputs = request.model.inputs_with("--against", request.against),
                        .outputs = {{"--output", request.output}}};
  files.check();
}

ReadTable read_rows(const TableFlags& flags, const ColumnSelection& selection, Work& work) {
  ReadTable table = read_table(flags, selection, work);
  naming_file(flags, [&] {
    if (table.rows.n_rows() == 0) throw InvalidInput("the table has no rows; there is nothing to explain.");
  });
  return table;
}

/// The places of the rows that --row names, each once.
std::vector<std::uint64_t> asked_for(const Request& request, const RowNumbers& numbers, std::uint64_t n_rows) {
  std::vector<std::uint64_t> places;
  for (const std::uint64_t row : request.rows) {
    const auto place = numbers.place_of(row - 1);
    if (!place) throw InvalidOption(fmt::format("--row must name a row that satisfies --where; got {}.", row));
    if (*place >= n_rows)
      throw InvalidOption(
          fmt::format("--row must be between 1 and {}, the number of rows of the file; got {}.", n_rows, row));
    if (std::ranges::find(places, *place) == places.end()) places.push_back(*place);
  }
  return places;
}

/// The anomalies, the highest score first.
std::vector<std::uint64_t> anomalies_of(const Scores& scores, const AnomalyRule& rule) {
  if (!rule.limit())
    throw InvalidOption("--anomalies requires a threshold: --min-bits, or a fit with --contamination other than none.");
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < scores.bits.size(); ++row)
    if (rule.is_anomaly(scores.bits[row]).value_or(false)) rows.push_back(row);
  std::ranges::stable_sort(rows, std::greater{}, [&](std::uint64_t row) { return scores.bits[row]; });
  return rows;
}

/// Writes a finding with what --id calls its row, if anything.
using Print = std::function<void(const Findings& found, const Finding& finding, const std::optional<std::string>& id)>;

Print printing_to(OutputFile& output, FindingPrinter& printer) {
  return [&](const Findings& found, const Finding& finding, const std::optional<std::string>& id) {
    output.write(printer.print(found, finding, id));
  };
}

/// In the order of the file, a batch at a time.
void explain_all(const Request& request, const ReadTable& table, Explainer& explainer, const Print& print, Work& work) {
  explain_each(
      explainer, table.rows, request.model.min_bits,
      [&](const Table& batch, const Findings& found) {
        const Column* id = request.id.empty() ? nullptr : &column_of(batch, request.id, "--id");
        for (std::size_t i = 0; i < batch.n_rows(); ++i)
          print(found, found.rows[i], id != nullptr ? std::optional(text_of(*id, i)) : std::nullopt);
      },
      work.run());
}

/// The rows of the table, all of them if --all is given.
std::vector<std::uint64_t> all_rows(std::uint64_t n_rows) {
  std::vector<std::uint64_t> rows(n_rows);
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  return rows;
}

/// Includes what is too slow for all rows: what would make them normal, and their impostors.
void explain_some(const Request& request, const Scores& scores, const RowNumbers& numbers, Explainer& explainer,
                  const Print& print, Work& work) {
  FindOptions options{.min_bits = request.model.min_bits, .top = request.top.value_or(10)};
  if (!request.all) {
    options.impostors = request.impostors.value_or(5);
    options.normal_if = true;
  }
  const std::uint64_t n_rows = scores.bits.size();
  if (request.anomalies)
    options.rows = anomalies_of(scores, {.threshold = explainer.model().threshold(), .min_bits = options.min_bits});
  if (!request.rows.empty()) options.rows = asked_for(request, numbers, n_rows);
  if (request.all) options.rows = all_rows(n_rows);
  const Findings found = find_anomalies(explainer, scores, options, work.run());
  std::vector<std::string> ids;
  if (!request.id.empty()) ids = ids_of(scores.rows, request.id, found.rows);
  for (std::size_t i = 0; i < found.rows.size(); ++i)
    print(found, found.rows[i], ids.empty() ? std::nullopt : std::optional(ids[i]));
}

/// Explains rows by the windows that they end, as `detect` does.
void explain_series(const Request& request, const Model& model, OutputFile& output, Work& work) {
  TrainingFlags input = request.model.input;
  const Schema* const known = input.series.fitted ? &model.schema() : nullptr;
  const Training training = read_training(input, request.id, work, known);
  std::optional<Training> against;
  input.table.file = request.against;
  input.table.sql.clear();
  input.table.where.clear();
  if (!request.against.empty()) against = read_training(input, "", work, known);
  const Scores scores = score_rows(training, input.series.alignment(), model, {}, work);
  Explainer explainer = against ? Explainer(model, against->fitted()) : Explainer::of_scored(model, scores.scored);
  FindingPrinter printer(model.schema(), request.json, request.dialect(), true, training.numbers,
                         against ? against->numbers : training.numbers);
  explain_some(request, scores, training.numbers, explainer, printing_to(output, printer), work);
}

void explain_rows(const Request& request, const Model& model, OutputFile& output, Work& work) {
  ColumnSelection selection{.schema = &model.schema()};
  if (!request.id.empty()) selection.as_text.push_back(request.id);
  TableFlags flags = request.model.input.table;
  const ReadTable table = read_rows(flags, selection, work);
  const TableStore& rows = table.rows;
  std::optional<TableStore> against;
  flags.file = request.against;
  flags.sql.clear();
  flags.where.clear();
  if (!request.against.empty()) against = read_rows(flags, {.schema = &model.schema()}, work).rows;
  Explainer explainer = against ? Explainer(model, *against) : Explainer::of_scored(model, rows);
  const RowNumbers all;
  FindingPrinter printer(model.schema(), request.json, request.dialect(), false, table.numbers,
                         against ? all : table.numbers);
  const Print print = printing_to(output, printer);
  if (request.all) return explain_all(request, table, explainer, print, work);
  explain_some(request, score_table(model, rows, {}, work.run()), table.numbers, explainer, print, work);
}

void explain(Request request) {
  check(request);
  Work work(request.model.input.run);
  const Model model = Model::load(request.model.model_file);
  request.model.take(model.schema());
  OutputFile output(request.output);
  (request.model.input.series.is_derived() ? explain_series : explain_rows)(request, model, output, work);
  work.end_progress();
  output.commit();
}

void add_row_flags(CLI::App& verb, Request& request) {
  verb.add_option("--top", request.top, "number of rows to explain, highest score first; default 10")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000'000));
  verb.add_option("--row", request.rows, "numbers of the rows to explain, counted from 1; replaces --top")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(whole_number(1, 1'000'000'000'000));
  verb.add_flag("--all", request.all, "explain every row in file order, without normal-if and impostors");
  verb.add_flag("--anomalies", request.anomalies, "explain every anomaly, highest score first; replaces --top");
  verb.add_option("--id", request.id, "row identifier, shown with each row")->type_name("COL");
  add_min_bits_flag(verb, request.model.min_bits);
}

void add_output_flags(CLI::App& verb, Request& request) {
  verb.add_option("--against", request.against,
                  "file whose rows are counted; by default the rows of the fit, or FILE if the model has no reasons")
      ->type_name("FILE");
  verb.add_option("--impostors", request.impostors,
                  "number of other rows to list that match the same reason; default 5")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000));
  verb.add_option("--dialect", request.sql,
                  "print the reason as a WHERE clause too: standard (PostgreSQL, DuckDB) or sqlite")
      ->type_name("standard|sqlite");
  add_output_flag(verb, request.output);
  verb.add_flag("--json", request.json, "write JSON lines: one object per row");
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("explain", "Explain why rows of a file are anomalous, using a saved model");
  const auto request = std::make_shared<Request>();
  add_model_verb_flags(*verb, request->model);
  add_row_flags(*verb, *request);
  add_output_flags(*verb, *request);
  add_run_flags(*verb, request->model.input.run);
  add_series_flags(*verb, request->model.input.series);
  add_ignore_flag(*verb, request->model.input.ignore);
  verb->footer(
      "A reason is a cube that contains few rows for its size: the row's own values, the number of rows inside, and "
      "the\n"
      "share of the space. One SQL COUNT(*) verifies it.\n\n"
      "Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf\n"
      "  pidforest explain fleet.pidf examples/fleet.csv --top 3 --dialect sqlite");
  verb->callback([request] { explain(*request); });
}

}  // namespace pidforest::cli
