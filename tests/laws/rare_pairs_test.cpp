// SPDX-License-Identifier: Apache-2.0
// The law of rare pairs: few rows of a fit have many bits from pairs, and a row scores its best pair at least.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/state.h"
#include "pidforest/explain.h"
#include "random_table.h"
#include "schema/encoded_table.h"

namespace pidforest {
namespace {

/// Any columns, then two categories and two numbers that agree except in a few rows.
OwnedTable table_with_odd_pairs() {
  OwnedTable some = any_table(2);
  const std::size_t n_some = std::min<std::size_t>(some.n_columns(), 3);
  std::vector<ColumnSort> sorts(some.sorts.begin(), some.sorts.begin() + static_cast<std::ptrdiff_t>(n_some));
  sorts.insert(sorts.end(), {ColumnSort::category, ColumnSort::category, ColumnSort::normal, ColumnSort::normal});
  const auto n_rows = static_cast<std::size_t>(*rc::gen::inRange(1000, 6000));
  OwnedTable owned = random_table(sorts, n_rows, *rc::gen::arbitrary<std::uint32_t>());
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint32_t>());
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto level = static_cast<double>(random() % 4);
    owned.at(row, n_some) = level;
    owned.at(row, n_some + 1) = random() % 500 == 0 ? 3 - level : level;
    owned.at(row, n_some + 3) =
        random() % 500 == 0 ? -owned.at(row, n_some + 2) : owned.at(row, n_some + 2) + 0.1 * owned.at(row, n_some + 3);
  }
  return owned;
}

Options options_with_pairs() {
  return {.n_estimators = *rc::gen::inRange(8, 20), .contamination = Options::none, .seed = *rc::gen::inRange(0, 1000)};
}

/// The bits of each row's best pair; 0 without one.
std::vector<double> pair_bits_of(const Model& model, const Table& table) {
  const model::State& state = model::state_of(model);
  const schema::EncodedTable encoded(state.encoder, table, {});
  const forest::Rows rows = model::in_order(encoded.table(), state.axis_order);
  std::vector<double> bits(rows.n);
  state.pairs.for_each_row(rows, {.threads = 1},
                           [&](std::size_t row, std::size_t place) { bits[row] = state.pairs.all()[place].bits; });
  return bits;
}

// Law 17
RC_GTEST_PROP(Law17, few_fitted_rows_have_many_bits_from_pairs, ()) {
  const OwnedTable owned = table_with_odd_pairs();
  const Model model = owned.fit(options_with_pairs());
  std::vector<double> bits = pair_bits_of(model, owned.table());
  std::ranges::sort(bits, std::ranges::greater{});
  for (std::size_t i = 0; i < bits.size() && bits[i] > 0; ++i)
    RC_ASSERT(static_cast<double>(i + 1) <= std::exp2(-bits[i]) * static_cast<double>(bits.size()) + 1e-6);
  RC_CLASSIFY(bits[0] > 0, "has rows in rare pairs");
}

RC_GTEST_PROP(Law17, a_row_scores_its_best_pair_or_its_score_without_pairs, ()) {
  const OwnedTable owned = table_with_odd_pairs();
  Options options = options_with_pairs();
  const Model with = owned.fit(options);
  options.rare_pairs = false;
  const Model without = owned.fit(options);
  const std::vector<double> scores = with.score(owned.table());
  const std::vector<double> plain = without.score(owned.table());
  const std::vector<double> bits = pair_bits_of(with, owned.table());
  const std::vector<double> column_bits = with.column_bits(owned.table());
  for (std::size_t row = 0; row < scores.size(); ++row) {
    RC_ASSERT(scores[row] == std::max(plain[row], bits[row] > 0 ? bits[row] : plain[row]));
    const auto first = column_bits.begin() + static_cast<std::ptrdiff_t>(row * owned.n_columns());
    const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(owned.n_columns()), 0.0);
    RC_ASSERT(std::abs(sum - scores[row]) < 1e-9 * std::max(1.0, std::abs(sum)));  // law 11
  }
}

RC_GTEST_PROP(Law17, the_counts_of_a_pair_are_those_of_plain_filters, ()) {
  const OwnedTable owned = table_with_odd_pairs();
  const Model model = owned.fit(options_with_pairs());
  const auto n_rows_with = [&](const std::vector<Condition>& conditions) {
    const std::vector<bool> matches = RowFilter(model.schema(), conditions).matches(owned.table());
    return static_cast<double>(std::ranges::count(matches, true));
  };
  for (const Witness& pair : rare_pairs(model)) {
    RC_ASSERT(pair.conditions.size() == 2U);
    RC_ASSERT(static_cast<double>(pair.n_inside) == n_rows_with(pair.conditions));
    const double unrelated =
        n_rows_with({pair.conditions[0]}) * n_rows_with({pair.conditions[1]}) / static_cast<double>(owned.n_rows());
    RC_ASSERT(std::abs(*pair.n_unrelated - unrelated) < 1e-6 * unrelated);
  }
}

RC_GTEST_PROP(Law17, threads_and_files_change_no_pair, ()) {
  const OwnedTable owned = table_with_odd_pairs();
  const Options options = options_with_pairs();
  const Model model = owned.fit(options, {.threads = 1});
  RC_ASSERT(owned.fit(options, {.threads = 3}).to_bytes() == model.to_bytes());
  const Model again = Model::from_bytes(model.to_bytes());
  RC_ASSERT(again == model);
  RC_ASSERT(again.score(owned.table(), {.threads = 3}) == model.score(owned.table(), {.threads = 1}));
  RC_ASSERT(Explainer(again).explain(owned.table()).witnesses == Explainer(model).explain(owned.table()).witnesses);
}

}  // namespace
}  // namespace pidforest
