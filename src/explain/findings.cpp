// SPDX-License-Identifier: Apache-2.0
#include "explain/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "explain/impostors.h"
#include "explain/incidents.h"
#include "explain/own_words.h"
#include "model/state.h"
#include "pidforest/error.h"
#include "system/parallel.h"
#include "table/value.h"

namespace pidforest {

namespace explain {

namespace {

/// Orders rows by their scores, the rarest first; of equal ones the first in the table.
auto is_rarer_in(const Scores& scores) {
  return [&bits = scores.bits](std::uint64_t a, std::uint64_t b) {
    return bits[a] != bits[b] ? bits[a] > bits[b] : a < b;
  };
}

/// Finds what would make the anomalies normal among findings about the rows of a batch. `most_normal` is the largest
/// score that is normal.
void find_normal(const Model& model, const Table& batch, std::span<Finding> findings, double most_normal,
                 const Run& run) {
  Run single = run;
  single.threads = 1;
  single.on_progress = nullptr;
  system::parallel_for(batch.n_rows(), run, "explaining", [&](std::size_t i, unsigned) {
    if (findings[i].is_anomaly.value_or(false))
      findings[i].normal_if = nearest_normal(model, batch.rows(i, i + 1), most_normal, single);
  });
}

class Finder {
 public:
  Finder(Explainer& explainer, const Scores& scores, const FindOptions& options, const Run& run)
      : explainer_(explainer), scores_(scores), options_(options), run_(run) {
    found_.rule = {.threshold = explainer.model().threshold(), .min_bits = options.min_bits};
  }

  Findings find() {
    check();
    count();
    if (options_.incidents) find_incidents();
    list_rows();
    if (options_.impostors > 0) find_impostors(explainer_, scores_, options_.impostors, found_, run_);
    return std::move(found_);
  }

 private:
  void check() const {
    if (scores_.windows.empty() && scores_.bits.size() != scores_.scored.n_rows())
      throw InvalidInput(fmt::format("there must be a score for each of the {} rows; got {}.", scores_.scored.n_rows(),
                                     scores_.bits.size()));
    for (const std::uint64_t row : options_.rows.value_or(std::vector<std::uint64_t>{}))
      if (row >= scores_.bits.size())
        throw InvalidInput(fmt::format("a row to list must be below {}; got {}.", scores_.bits.size(), row));
  }

  void count() {
    found_.n_rows = scores_.bits.size();
    for (std::size_t row = 0; row < scores_.bits.size(); ++row) {
      const bool is_suppressed = scores_.is_suppressed(row);
      if (std::isnan(scores_.bits[row])) ++found_.n_unscored;
      if (found_.rule.is_anomaly(scores_.bits[row]).value_or(false))
        ++(is_suppressed ? found_.n_suppressed : found_.n_anomalies);
    }
  }

  void find_incidents() {
    // Anomalies are the rarest rows.
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(found_.n_anomalies, options_.most_in_incidents));
    std::vector<std::uint64_t> rows = rarest_rows(scores_, n);
    if (rows.empty()) return;
    const TableStore values = scored_values(scores_, rows);
    const Explanations explained = explainer_.explain(values, run_);
    const std::vector<std::uint32_t> shared = share_witnesses(explainer_.model().schema(), values, explained);
    std::map<std::uint32_t, Incident> by_witness;
    for (std::size_t i = 0; i < rows.size(); ++i) by_witness[shared[i]].rows.push_back(rows[i]);
    const auto is_rarer = is_rarer_in(scores_);
    for (auto& [witness, incident] : by_witness) {
      incident.witness = static_cast<std::uint32_t>(found_.witnesses.size());
      found_.witnesses.push_back(explained.witnesses[witness]);
      std::ranges::sort(incident.rows, is_rarer);
      incident.bits = scores_.bits[incident.rows.front()];
      found_.incidents.push_back(std::move(incident));
    }
    std::ranges::sort(found_.incidents, is_rarer, [](const Incident& one) { return one.rows.front(); });
  }

  void list_rows() {
    std::vector<std::uint64_t> order = options_.rows ? *options_.rows : rarest_rows(scores_, options_.top);
    std::erase_if(order, [&](std::uint64_t row) { return std::isnan(scores_.bits[row]); });
    if (order.empty()) return;
    std::vector<std::uint64_t> rows = order;
    const TableStore values = scored_values(scores_, rows);
    const Explanations explained = explainer_.explain(values, run_);
    const auto n_witnesses = static_cast<std::uint32_t>(found_.witnesses.size());
    std::ranges::copy(explained.witnesses, std::back_inserter(found_.witnesses));
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < rows.size(); ++i)
      findings.push_back({.row = rows[i],
                          .bits = scores_.bits[rows[i]],
                          .is_anomaly = found_.rule.is_anomaly(scores_.bits[rows[i]], scores_.is_suppressed(rows[i])),
                          .witness = n_witnesses + explained.witness_of[i]});
    std::size_t first = 0;
    values.for_each([&](const Table& batch) {
      const std::span<Finding> some = std::span(findings).subspan(first, batch.n_rows());
      describe(explainer_.model(), batch, found_.witnesses, some, run_);
      if (const auto most_normal = found_.rule.most_normal(); most_normal && options_.normal_if)
        find_normal(explainer_.model(), batch, some, *most_normal, run_);
      first += batch.n_rows();
    });
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < rows.size(); ++i) places[rows[i]] = i;
    for (const std::uint64_t row : order) found_.rows.push_back(findings[places.at(row)]);
  }

  Explainer& explainer_;
  const Scores& scores_;
  const FindOptions& options_;
  const Run& run_;
  Findings found_;
};

}  // namespace

namespace {

/// The columns that the witness names come first; within both groups, the most bits first.
void order_columns(std::vector<ColumnBits>& columns, const Witness& witness, const Schema& schema) {
  const auto is_named = [&](const ColumnBits& one) {
    const std::string& name = schema.columns[one.column].name;
    return std::ranges::find(witness.conditions, name, &Condition::column) != witness.conditions.end();
  };
  std::ranges::stable_sort(columns, std::ranges::greater{}, &ColumnBits::bits);
  std::ranges::stable_partition(columns, is_named);
}

}  // namespace

std::vector<ColumnBits> columns_with_bits(std::span<const double> bits, const Witness& witness, const Schema& schema) {
  std::vector<ColumnBits> columns;
  for (std::size_t column = 0; column < bits.size(); ++column)
    if (bits[column] != 0) columns.push_back({.column = column, .bits = bits[column]});
  order_columns(columns, witness, schema);
  return columns;
}

/// Memory: twice the rows that are wanted, however many there are.
std::vector<std::uint64_t> rarest_rows(const Scores& scores, std::size_t n) {
  const auto is_rarer = is_rarer_in(scores);
  n = std::min(n, scores.bits.size());
  std::vector<std::uint64_t> rows;
  std::optional<std::uint64_t> last;  // the last of n rows that were kept: later ones must be rarer
  for (std::size_t row = 0; row < scores.bits.size() && n > 0; ++row) {
    if (std::isnan(scores.bits[row]) || scores.is_suppressed(row) || (last && !is_rarer(row, *last))) continue;
    rows.push_back(row);
    if (rows.size() < 2 * n) continue;
    std::ranges::nth_element(rows, rows.begin() + static_cast<std::ptrdiff_t>(n - 1), is_rarer);
    rows.resize(n);
    last = rows.back();
  }
  std::ranges::sort(rows, is_rarer);
  rows.resize(std::min(n, rows.size()));
  return rows;
}

TableStore scored_values(const Scores& scores, std::vector<std::uint64_t>& rows) {
  std::ranges::sort(rows, {}, [&](std::uint64_t row) { return std::pair(scores.scored_row(row), row); });
  std::vector<std::uint64_t> numbers;
  numbers.reserve(rows.size());
  for (const std::uint64_t row : rows) numbers.push_back(scores.scored_row(row));
  return rows_at(scores.scored, numbers);
}

}  // namespace explain

void describe(const Model& model, const Table& rows, std::span<const Witness> witnesses, std::span<Finding> findings,
              const Run& run) {
  const std::vector<double> bits = model.column_bits(rows, run);
  const std::vector<const Column*> columns = model::state_of(model).encoder.match(rows);
  const explain::OwnWords own(rows, model.schema());
  system::parallel_for(rows.n_rows(), run, "explaining", [&](std::size_t i, unsigned) {
    Finding& finding = findings[i];
    const Witness& witness = witnesses[finding.witness];
    finding.own_values = own.of(witness, i);
    finding.columns = explain::columns_with_bits(std::span(bits).subspan(i * columns.size(), columns.size()), witness,
                                                 model.schema());
    for (ColumnBits& one : finding.columns) one.value = table::value_words(*columns[one.column], i);
  });
}

void describe(Finding& finding, const Witness& witness, const Table& table, std::size_t row, const Schema& schema) {
  finding.own_values = own_values(witness, table, row, schema);
  explain::order_columns(finding.columns, witness, schema);
  for (ColumnBits& one : finding.columns) {
    const auto column = std::ranges::find(table.columns(), schema.columns[one.column].name, &Column::name);
    if (column != table.columns().end()) one.value = table::value_words(*column, row);
  }
}

Findings find_anomalies(Explainer& explainer, const Scores& scores, const FindOptions& options, const Run& run) {
  return explain::Finder(explainer, scores, options, run).find();
}

Findings find_anomalies(const Model& model, const Scores& scores, const FindOptions& options, const Run& run) {
  Explainer explainer = Explainer::of_scored(model, scores.scored);
  return find_anomalies(explainer, scores, options, run);
}

void explain_each(Explainer& explainer, const Batches& rows, std::optional<double> min_bits,
                  const std::function<void(const Table& batch, const Findings& found)>& visit, const Run& run) {
  const Explanations explained = explainer.explain(rows, run);
  Findings found{.rule = {.threshold = explainer.model().threshold(), .min_bits = min_bits}};
  found.witnesses = explained.witnesses;
  std::uint64_t first = 0;
  rows.for_each([&](const Table& batch) {
    const std::vector<double> bits = explainer.model().score(batch, run);
    found.n_rows = batch.n_rows();
    found.n_anomalies = 0;
    found.rows.assign(batch.n_rows(), {});
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      Finding& finding = found.rows[i];
      finding.row = first + i;
      finding.bits = bits[i];
      finding.is_anomaly = found.rule.is_anomaly(bits[i]);
      finding.witness = explained.witness_of[first + i];
      found.n_anomalies += finding.is_anomaly.value_or(false) ? 1 : 0;
    }
    describe(explainer.model(), batch, found.witnesses, found.rows, run);
    visit(batch, found);
    first += batch.n_rows();
  });
}

}  // namespace pidforest
