// SPDX-License-Identifier: Apache-2.0
// The law of isolated values: the automatic threshold flags them under every aggregate.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "forest/stretch.h"
#include "model/state.h"
#include "random_table.h"
#include "schema/encoded_table.h"

namespace pidforest {
namespace {

/// A table with at least one column of numbers, in which a few cells are far beyond all others.
OwnedTable table_with_wild_cells() {
  OwnedTable owned = any_table(3000);
  owned.sorts[0] = *rc::gen::element(ColumnSort::even, ColumnSort::normal, ColumnSort::heavy_tailed);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  double largest = 0;
  for (std::size_t row = 0; row < owned.n_rows(); ++row) {
    owned.at(row, 0) = draw_value(owned.sorts[0], random);
    largest = std::max(largest, std::abs(owned.at(row, 0)));
  }
  for (std::size_t i = 0; i <= owned.n_rows() / 1000; ++i)
    owned.at(random() % owned.n_rows(), 0) = largest * *rc::gen::element(-100.0, 3.0, 10.0, 1e6);
  return owned;
}

Options any_aggregate() {
  Options options = any_options();
  options.isolated = true;
  options.aggregate = *rc::gen::element(Aggregate::mean, Aggregate::quantile, Aggregate::max, Aggregate::top,
                                        Aggregate::vote, Aggregate::odds);
  options.quantile = *rc::gen::element(0.0, 0.5, 0.75, 1.0);
  options.top_share = *rc::gen::element(0.01, 0.1, 1.0);
  options.n_estimators = *rc::gen::element(1, 7, 100);
  return options;
}

/// The most bits of each row's isolated values.
std::vector<double> isolated_bits_of(const Model& model, const Table& table) {
  const model::State& state = model::state_of(model);
  const schema::EncodedTable encoded(state.encoder, table, {});
  const forest::Rows rows = model::in_order(encoded.table(), state.axis_order);
  std::vector<double> bits(rows.n);
  for (std::size_t row = 0; row < rows.n; ++row) bits[row] = forest::isolated_bits(state.forest->isolated, rows, row);
  return bits;
}

// Law 16
RC_GTEST_PROP(Law16, rows_with_isolated_values_are_flagged_under_every_aggregate, ()) {
  const OwnedTable owned = table_with_wild_cells();
  const Model model = owned.fit(any_aggregate());
  const std::vector<double> isolated = isolated_bits_of(model, owned.table());
  const std::vector<double> scores = model.score(owned.table());
  std::size_t n_isolated = 0;
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (isolated[row] == 0) continue;
    ++n_isolated;
    RC_ASSERT(scores[row] > *model.threshold());
  }
  RC_CLASSIFY(n_isolated > 0, "has isolated values");
}

/// The table with cells that no row of it has: values far beyond all others, missing values and unseen levels.
OwnedTable with_impossible_cells(OwnedTable table) {
  for (std::size_t i = 0; i < table.values.size(); ++i) {
    const ColumnSort sort = table.sorts[i % table.n_columns()];
    if (*rc::gen::inRange(0, 10) == 0)
      table.values[i] = sort == ColumnSort::even || sort == ColumnSort::normal || sort == ColumnSort::heavy_tailed
                            ? table.values[i] * *rc::gen::element(-1e4, 1.5, 20.0, 1e8)
                            : other_value(sort, table.values[i]);
  }
  return table;
}

// Law 18
RC_GTEST_PROP(Law18, new_rows_with_isolated_values_are_flagged_and_meet_their_reasons, ()) {
  const OwnedTable owned = any_table(1500);
  Options options = any_aggregate();
  options.reasons = true;
  const Model model = owned.fit(options);
  const OwnedTable other = with_impossible_cells(owned);
  const std::vector<double> isolated = isolated_bits_of(model, other.table());
  const std::vector<double> scores = model.score(other.table());
  const Explanations explained = Explainer(model).explain(other.table());
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (isolated[row] > 0) RC_ASSERT(scores[row] > *model.threshold());
    const Witness& witness = explained.witnesses[explained.witness_of[row]];
    RC_ASSERT(RowFilter(model.schema(), witness.conditions).matches(other.table().rows(row, row + 1))[0]);
  }
}

}  // namespace
}  // namespace pidforest
