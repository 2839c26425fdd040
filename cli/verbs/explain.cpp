// SPDX-License-Identifier: Apache-2.0
// The verb `explain`: why rows of a file are rare by a model, with counts that anyone can check.
#include "pidforest/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flags/labels.h"
#include "flags/mark.h"
#include "flags/option_flags.h"
#include "flags/sql_flag.h"
#include "in/table_input.h"
#include "out/explained_row.h"
#include "out/output_file.h"
#include "out/printable.h"
#include "out/top_rows.h"
#include "out/work.h"
#include "pidforest/error.h"
#include "pidforest/model.h"
#include "pidforest/table.h"
#include "verbs/verbs.h"

namespace pidforest::cli {

namespace {

struct Request {
  std::string model_file;
  TableFlags table;
  RunFlags run;
  std::string against;
  std::string id;
  std::string output = "-";
  std::size_t top = 10;
  std::vector<std::uint64_t> rows;
  bool all = false;
  std::size_t impostors = 5;
  std::string sql;
  std::optional<double> min_bits;
  bool json = false;

  [[nodiscard]] std::optional<SqlDialect> dialect() const {
    return sql.empty() ? std::nullopt : std::optional(sql_dialect(sql));
  }
};

void check(const Request& request) {
  (void)request.table.text_format();
  (void)request.dialect();
  if (request.all && !request.rows.empty())
    throw InvalidOption("--all and --row cannot be combined: --all explains every row.");
  if (request.table.file == "-" && request.against == "-")
    throw InvalidOption("FILE and --against cannot both be standard input; save one of them to a file.");
}

TableStore read_table(const TableFlags& flags, const ColumnSelection& selection, Work& work) {
  TableInput input(flags, selection, work);
  TableStore rows;
  while (const std::optional<Table> batch = input.next()) rows.append(*batch);
  if (rows.n_rows() == 0) throw InvalidInput("the table has no rows; there is nothing to explain.");
  return rows;
}

class Explaining {
 public:
  Explaining(const Request& request, const Model& model, const TableStore& rows, const TableStore& reference,
             Work& work)
      : request_(request),
        model_(model),
        rows_(rows),
        reference_(reference),
        work_(work),
        mark_{.threshold = model.threshold(), .min_bits = request.min_bits},
        explainer_(model, reference, work.run()),
        printer_(model.schema()),
        output_(request.output) {}

  void explain() {
    if (request_.all)
      explain_all();
    else
      explain_some(request_.rows.empty() ? rarest() : asked_for());
    work_.end_progress();
    output_.commit();
  }

 private:
  /// In the order of the file, a batch at a time.
  void explain_all() {
    explainer_.prepare(rows_, work_.run());
    std::uint64_t first = 0;
    rows_.for_each([&](const Table& batch) {
      const Explanations explanations = explainer_.explain(batch, work_.silent_run());
      for (const ExplainedRow& row : explained(batch, numbers_from(first, batch.n_rows()), explanations)) write(row);
      first += batch.n_rows();
      work_.show({"explaining", first, rows_.n_rows()});
    });
  }

  /// With what is too dear for all rows: what would make them normal, and their impostors.
  void explain_some(const std::vector<std::uint64_t>& order) {
    std::vector<std::uint64_t> numbers = order;
    std::ranges::sort(numbers);
    const TableStore some = rows_at(rows_, numbers);
    std::vector<ExplainedRow> found;
    std::vector<RowFilter> filters;
    some.for_each([&](const Table& batch) {
      const Explanations explanations = explainer_.explain(batch, work_.silent_run());
      const auto part = std::span(numbers).subspan(found.size(), batch.n_rows());
      std::vector<ExplainedRow> more = explained(batch, {part.begin(), part.end()}, explanations);
      for (std::size_t i = 0; i < more.size(); ++i) {
        find_normal(batch.rows(i, i + 1), more[i]);
        filters.emplace_back(model_.schema(), explanations.witnesses[explanations.witness_of[i]].conditions);
      }
      std::ranges::move(more, std::back_inserter(found));
    });
    find_impostors(filters, found);
    for (const std::uint64_t number : order) write(*std::ranges::lower_bound(found, number, {}, &ExplainedRow::row));
  }

  [[nodiscard]] std::vector<std::uint64_t> rarest() {
    TopRows top(request_.top);
    std::uint64_t first = 0;
    rows_.for_each([&](const Table& batch) {
      const std::vector<double> bits = model_.score(batch, work_.silent_run());
      for (std::size_t i = 0; i < bits.size(); ++i)
        if (top.would_keep(bits[i], first + i)) top.add({bits[i], first + i});
      first += batch.n_rows();
      work_.show({"scoring", first, rows_.n_rows()});
    });
    std::vector<std::uint64_t> numbers;
    for (const TopRow& one : top.take()) numbers.push_back(one.row);
    return numbers;
  }

  [[nodiscard]] std::vector<std::uint64_t> asked_for() const {
    std::vector<std::uint64_t> numbers;
    for (const std::uint64_t row : request_.rows) {
      if (row < 1 || row > rows_.n_rows())
        throw InvalidOption(fmt::format("--row must be between 1 and {}, the number of rows of the file; got {}.",
                                        rows_.n_rows(), row));
      if (std::ranges::find(numbers, row - 1) == numbers.end()) numbers.push_back(row - 1);
    }
    return numbers;
  }

  static std::vector<std::uint64_t> numbers_from(std::uint64_t first, std::size_t n) {
    std::vector<std::uint64_t> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = first + i;
    return numbers;
  }

  /// The same for rows of the same witness.
  [[nodiscard]] std::vector<std::shared_ptr<const PrintedWitness>> printed(
      const std::vector<Witness>& witnesses) const {
    const std::optional<SqlDialect> dialect = request_.dialect();
    std::vector<std::shared_ptr<const PrintedWitness>> all;
    for (const Witness& witness : witnesses) {
      const bool has_conditions = !witness.conditions.empty();
      PrintedWitness one{.words = has_conditions ? printable(to_words(witness, model_.schema())) : "",
                         .quoted_words = {},
                         .json = to_json(witness)};
      one.quoted_words = json_text(one.words);
      if (dialect && has_conditions) one.sql = to_sql(witness.conditions, model_.schema(), *dialect);
      all.push_back(std::make_shared<const PrintedWitness>(std::move(one)));
    }
    return all;
  }

  [[nodiscard]] std::vector<ExplainedRow> explained(const Table& batch, const std::vector<std::uint64_t>& numbers,
                                                    const Explanations& explanations) const {
    const Schema& schema = model_.schema();
    const std::vector<double> bits = model_.score(batch, work_.silent_run());
    const auto witnesses = printed(explanations.witnesses);
    std::vector<ExplainedRow> rows;
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      ExplainedRow& row = rows.emplace_back(ExplainedRow{.row = numbers[i], .bits = bits[i]});
      row.is_anomaly = mark_.is_anomaly(bits[i]);
      row.witness = witnesses[explanations.witness_of[i]];
      row.columns = column_bits_of(explanations, i);
      if (!request_.id.empty()) row.id = text_of(column_of(batch, request_.id, "--id"), i);
      if (!request_.json || row.witness->words.empty())
        row.column_words = printable(to_words(row.columns, schema, batch.rows(i, i + 1), bits[i]));
    }
    return rows;
  }

  void find_normal(const Table& values, ExplainedRow& row) const {
    const std::optional<double> most = mark_.most_normal();
    if (most && row.is_anomaly.value_or(false))
      row.normal_if = nearest_normal(model_, values, *most, work_.silent_run());
  }

  /// Goes through the reference for the first rows that each witness holds; where it is the file itself, others than
  /// the row.
  void find_impostors(const std::vector<RowFilter>& filters, std::vector<ExplainedRow>& found) const {
    if (request_.impostors == 0) return;
    for (ExplainedRow& row : found) row.impostors.emplace();
    const bool is_own_file = &reference_ == &rows_;
    std::uint64_t first = 0;
    reference_.for_each([&](const Table& batch) {
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].impostors->size() == request_.impostors) continue;
        const std::vector<bool> inside = filters[i].matches(batch);
        for (std::size_t j = 0; j < inside.size() && found[i].impostors->size() < request_.impostors; ++j)
          if (inside[j] && !(is_own_file && first + j == found[i].row)) found[i].impostors->push_back(first + j);
      }
      first += batch.n_rows();
    });
  }

  void write(const ExplainedRow& row) {
    output_.write(request_.json ? printer_.json_line(row) : printer_.paragraph(row));
  }

  const Request& request_;
  const Model& model_;
  const TableStore& rows_;
  const TableStore& reference_;
  Work& work_;
  Mark mark_;
  Explainer explainer_;
  RowPrinter printer_;
  OutputFile output_;
};

void explain(const Request& request) {
  check(request);
  Work work(request.run);
  const Model model = Model::load(request.model_file);
  ColumnSelection selection{.schema = &model.schema()};
  if (!request.id.empty()) selection.as_text.push_back(request.id);
  const TableStore rows = read_table(request.table, selection, work);
  std::optional<TableStore> against;
  if (!request.against.empty()) {
    TableFlags flags = request.table;
    flags.file = request.against;
    against = read_table(flags, {.schema = &model.schema()}, work);
  }
  Explaining(request, model, rows, against ? *against : rows, work).explain();
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
  verb.add_option("--id", request.id, "row identifier, shown with each row")->type_name("COL");
  add_min_bits_flag(verb, request.min_bits);
}

void add_output_flags(CLI::App& verb, Request& request) {
  verb.add_option("--against", request.against,
                  "file whose rows are counted, such as the file of the fit; FILE itself by default")
      ->type_name("FILE");
  verb.add_option("--impostors", request.impostors,
                  "number of other rows to list that match the same reason; default 5")
      ->type_name("N")
      ->check(whole_number(0, 1'000'000));
  verb.add_option("--sql", request.sql,
                  "print the reason as a WHERE clause too: standard (PostgreSQL, DuckDB) or sqlite")
      ->type_name("standard|sqlite");
  add_output_flag(verb, request.output);
  verb.add_flag("--json", request.json, "write JSON lines: one object per row");
}

}  // namespace

void add_explain(CLI::App& app) {
  CLI::App* verb = app.add_subcommand("explain", "Explain why rows of a file are anomalous, using a saved model");
  const auto request = std::make_shared<Request>();
  add_model_argument(*verb, request->model_file);
  add_table_flags(*verb, request->table);
  add_row_flags(*verb, *request);
  add_output_flags(*verb, *request);
  add_run_flags(*verb, request->run);
  verb->footer(
      "A reason is a cube that contains few rows: its conditions, the number of rows inside, and the number expected "
      "if\n"
      "rows were spread evenly. One SQL COUNT(*) verifies it.\n\n"
      "Example:\n  pidforest fit examples/fleet.csv --label fault -o fleet.pidf\n"
      "  pidforest explain fleet.pidf examples/fleet.csv --top 3 --sql sqlite");
  verb->callback([request] { explain(*request); });
}

}  // namespace pidforest::cli
