// SPDX-License-Identifier: Apache-2.0
// The laws of explanations: they are true of their row, their counts equal those of a plain filter, and no part of a
// reason says more than the reason.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "each_target.h"
#include "forest/attribute.h"
#include "forest/route.h"
#include "model/state.h"
#include "pidforest/explain.h"
#include "random_table.h"
#include "reasons/node_parts.h"
#include "schema/encoded_table.h"

namespace pidforest {
namespace {

using forest::Tree;
using geometry::Part;
using geometry::Parts;

bool holds(const Parts& parts, const forest::Rows& rows, std::size_t row) {
  return std::ranges::all_of(parts, [&](const Part& part) { return part.holds(rows.columns[part.axis][row]); });
}

RC_GTEST_PROP(NodeParts, hold_the_rows_that_reach_the_node_and_have_its_volume, ()) {
  const OwnedTable owned = any_table();
  const Model model = owned.fit(any_options());
  const model::State& state = model::state_of(model);
  const Counts counts = model.count(owned.table());
  const schema::EncodedTable encoded(state.encoder, owned.table(), {});
  const forest::Rows rows = model::in_order(encoded.table(), state.axis_order);
  for (std::size_t t = 0; t < state.forest->trees.size(); ++t) {
    const Tree& tree = state.forest->trees[t];
    const auto parts = reasons::node_parts(tree);
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      std::uint64_t inside = 0;
      for (std::size_t row = 0; row < rows.n; ++row) inside += holds(parts[v], rows, row) ? 1 : 0;
      RC_ASSERT(inside == counts.trees[t][v]);
      // A tree limits shares from below, so a chain of such cuts may differ.
      if (tree.log2_volumes[v] > -30)
        RC_ASSERT(std::abs(log2_volume(parts[v], state.forest->root) - tree.log2_volumes[v]) < 1e-6);
    }
  }
}

/// Returns the number of rows that match the witness's conditions.
std::uint64_t filtered(const Witness& witness, const Model& model, const Table& table) {
  const std::vector<bool> matches = RowFilter(model.schema(), witness.conditions).matches(table);
  return static_cast<std::uint64_t>(std::ranges::count(matches, true));
}

// Law 12
RC_GTEST_PROP(Law12, the_counts_of_a_witness_are_those_of_a_plain_filter, ()) {
  const OwnedTable owned = any_table();
  const Model model = owned.fit(any_options());
  const Table table = owned.table();
  const bool has_reference = *rc::gen::arbitrary<bool>();
  const Explanations explained = (has_reference ? Explainer(model, table) : Explainer(model)).explain(table);
  RC_ASSERT(explained.witness_of.size() == owned.n_rows());
  for (const Witness& witness : explained.witnesses) {
    RC_ASSERT(witness.n_rows == owned.n_rows());
    RC_ASSERT(witness.n_inside == filtered(witness, model, table));
    const double rows = std::max(static_cast<double>(witness.n_inside), 0.5);
    RC_ASSERT(std::abs(witness.bits - std::log2(witness.expected() / rows)) < 1e-6);
  }
}

/// The bits of some conditions in a table, minus their price.
double net_bits(const std::vector<Condition>& conditions, const Model& model, const Table& table) {
  double volume = 1;
  for (const Condition& condition : conditions) volume *= condition.share;
  const auto n = static_cast<double>(filtered({.conditions = conditions}, model, table));
  return std::log2(volume * static_cast<double>(table.n_rows()) / std::max(n, 0.5)) -
         static_cast<double>(conditions.size());
}

RC_GTEST_PROP(Law12, no_part_of_a_reason_says_more_than_the_reason, ()) {
  const OwnedTable owned = any_table();
  const Model model = owned.fit(any_options());
  OwnedTable other = owned;
  for (std::size_t i = 0; i < other.values.size(); ++i)
    other.values[i] = other_value(other.sorts[i % other.n_columns()], other.values[i]);
  const bool has_reference = *rc::gen::arbitrary<bool>();
  const Table counted = has_reference ? other.table() : owned.table();
  const Explanations explained = (has_reference ? Explainer(model, counted) : Explainer(model)).explain(other.table());
  for (const Witness& witness : explained.witnesses) {
    RC_ASSERT(witness.n_inside == filtered(witness, model, counted));
    if (witness.n_unrelated) continue;  // the bits of a rare pair have another yardstick
    const double whole = net_bits(witness.conditions, model, counted);
    RC_ASSERT(witness.conditions.empty() || whole > -1e-6);
    for (std::size_t subset = 1; subset + 1 < std::size_t{1} << witness.conditions.size(); ++subset) {
      std::vector<Condition> some;
      for (std::size_t i = 0; i < witness.conditions.size(); ++i)
        if ((subset >> i & 1U) != 0) some.push_back(witness.conditions[i]);
      RC_ASSERT(net_bits(some, model, counted) <= whole + 1e-6);
    }
  }
}

RC_GTEST_PROP(Law12, the_reasons_of_a_model_are_counted_in_all_rows, ()) {
  const OwnedTable owned = any_table(1500);
  const Model model = owned.fit(any_options());
  const model::State& state = model::state_of(model);
  const schema::EncodedTable encoded(state.encoder, owned.table(), {});
  const forest::Rows rows = model::in_order(encoded.table(), state.axis_order);
  const reasons::Reasons& reasons = *state.reasons;
  RC_ASSERT(reasons.counts[0] == owned.n_rows());
  for (std::uint32_t cube = 0; cube < reasons.cubes.size(); ++cube)
    RC_ASSERT(reasons.counts[cube] == reasons::count_inside(reasons.parts_of(cube), rows));
}

RC_GTEST_PROP(Law12, a_row_meets_the_conditions_of_its_witness, ()) {
  const OwnedTable owned = any_table();
  const Model model = owned.fit(any_options());
  OwnedTable unseen = owned;
  for (std::size_t i = 0; i < unseen.values.size(); ++i)
    unseen.values[i] = other_value(unseen.sorts[i % unseen.n_columns()], unseen.values[i]);
  const Table table = unseen.table();
  const bool has_reference = *rc::gen::arbitrary<bool>();
  const Explanations explained = (has_reference ? Explainer(model, table) : Explainer(model)).explain(table);
  std::vector<std::vector<bool>> inside;
  for (const Witness& witness : explained.witnesses)
    inside.push_back(RowFilter(model.schema(), witness.conditions).matches(table));
  for (std::size_t row = 0; row < unseen.n_rows(); ++row) RC_ASSERT(inside[explained.witness_of[row]][row]);
}

RC_GTEST_PROP(Law8, explanations_are_the_same_for_any_threads_and_batch_size, ()) {
  const OwnedTable owned = any_table(1500);
  const Model model = owned.fit(any_options());
  const Table table = owned.table();
  const Table& reference = table;
  const Explanations whole = Explainer(model, reference).explain(table, {.threads = 1});
  Explainer explainer(model, reference);
  const auto step = *rc::gen::inRange<std::size_t>(1, owned.n_rows() + 1);
  for (std::size_t begin = 0; begin < owned.n_rows(); begin += step) {
    const std::size_t end = std::min(begin + step, owned.n_rows());
    const Explanations part = explainer.explain(table.rows(begin, end), {.threads = 3});
    for (std::size_t row = begin; row < end; ++row)
      RC_ASSERT(part.witnesses[part.witness_of[row - begin]] == whole.witnesses[whole.witness_of[row]]);
  }
}

TEST(Law8, explanations_are_the_same_with_every_instruction_set) {
  const OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::sometimes_missing, ColumnSort::category,
                                         ColumnSort::heavy_tailed, ColumnSort::time},
                                        1000, 3);
  const Model model = owned.fit({});
  const Table table = owned.table();
  const Explanations first = Explainer(model, table).explain(table);
  for_each_target([&] {
    const Explanations found = Explainer(model, table).explain(table);
    EXPECT_EQ(found.witnesses, first.witnesses);
    EXPECT_EQ(found.witness_of, first.witness_of);
  });
}

RC_GTEST_PROP(Law11, the_bits_of_the_axes_are_those_of_the_steps_down_each_tree, ()) {
  const OwnedTable owned = any_table();
  const Model model = owned.fit(any_options());
  const model::State& state = model::state_of(model);
  const schema::EncodedTable encoded(state.encoder, owned.table(), {});
  const forest::Rows rows = model::in_order(encoded.table(), state.axis_order);
  const std::size_t n_axes = rows.columns.size();
  std::vector<double> bits(rows.n * n_axes);
  forest::Attribution(*state.forest, *state.book, state.tables).attribute(rows, bits, {});
  for (std::size_t row = 0; row < rows.n; ++row) {
    std::vector<double> sums(n_axes, 0.0);
    for (std::size_t t = 0; t < state.forest->trees.size(); ++t) {
      std::vector<double> way(n_axes, 0.0);
      for (std::uint32_t node = 0, child = 0;; node = child) {
        child = child_towards(state.forest->trees[t], node, rows, row);
        if (child == node) break;
        way[state.forest->trees[t].nodes[node].axis] += state.tables.bits[t][child] - state.tables.bits[t][node];
      }
      for (std::size_t axis = 0; axis < n_axes; ++axis) sums[axis] += way[axis];
    }
    for (std::size_t axis = 0; axis < n_axes; ++axis)
      RC_ASSERT(bits[row * n_axes + axis] == sums[axis] / static_cast<double>(state.forest->trees.size()));
  }
}

/// Values of a range, spread evenly over the part of it that lies within the fitted values of the column.
std::vector<double> values_inside(const Condition& range, const OwnedTable& owned, std::size_t column) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t row = 0; row < owned.n_rows(); ++row) {
    low = std::min(low, owned.values[row * owned.n_columns() + column]);
    high = std::max(high, owned.values[row * owned.n_columns() + column]);
  }
  low = std::max(low, range.low);
  high = std::min(high, std::nextafter(range.high, range.low));
  std::vector<double> values;
  for (int i = 0; i <= 16; ++i) values.push_back(low + (high - low) * i / 16);
  return values;
}

double share_inside(const Condition& range, const OwnedTable& owned, std::size_t column) {
  std::size_t n = 0;
  for (std::size_t row = 0; row < owned.n_rows(); ++row) {
    const double x = owned.values[row * owned.n_columns() + column];
    n += range.low <= x && x < range.high ? 1 : 0;
  }
  return static_cast<double>(n) / static_cast<double>(owned.n_rows());
}

RC_GTEST_PROP(NearestNormal, brings_the_score_to_the_threshold_with_any_value_of_a_range_that_is_no_sliver, ()) {
  const OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::heavy_tailed, ColumnSort::even},
                                        *rc::gen::inRange<std::size_t>(100, 300), *rc::gen::inRange(0, 1000));
  // The search estimates shares of rows by the leaves of up to 32 trees; those of few trees make it rough.
  Options options = any_options();
  options.n_estimators = 32;
  const Model model = owned.fit(options);
  const std::vector<double> scores = model.score(owned.table());
  const double threshold = (*std::ranges::max_element(scores) + *std::ranges::min_element(scores)) / 2;
  for (std::size_t row = 0; row < owned.n_rows(); row += 7) {
    const auto change = nearest_normal(model, owned.table().rows(row, row + 1), threshold);
    RC_ASSERT((scores[row] <= threshold) == (change.has_value() && change->empty()));
    if (!change || change->size() != 1) continue;
    const std::size_t column = change->front().column[1] - '0';
    std::vector<double> values(owned.values.begin() + static_cast<std::ptrdiff_t>(row * 3),
                               owned.values.begin() + static_cast<std::ptrdiff_t>(row * 3 + 3));
    for (const double x : values_inside(change->front(), owned, column)) {
      values[column] = x;
      RC_ASSERT(model.score(Table::row_major(values, 3)).front() <= threshold);
    }
    // The search asks for 5 % by its estimate, within a leaf by an even spread.
    RC_ASSERT(share_inside(change->front(), owned, column) > 0.01);
  }
}

TEST(Blame, headline_and_column_bits_agree_on_a_planted_column) {
  // The column of a witness with one condition has the most bits in nearly all rows with one planted value.
  std::size_t n_agree = 0;
  std::size_t n_all = 0;
  for (int seed = 0; seed < 20; ++seed) {
    OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::even, ColumnSort::heavy_tailed, ColumnSort::normal,
                                     ColumnSort::category, ColumnSort::cyclic},
                                    1000, seed);
    std::vector<std::uint64_t> rows;
    for (std::size_t i = 0; i < 6; ++i) {
      rows.push_back(100 + 100 * i);
      owned.at(rows.back(), i % 4) = i < 4 ? 60 + static_cast<double>(i) : -50;
    }
    const Model model = owned.fit({.n_estimators = 50, .seed = seed});
    const Table table = owned.table();
    const Findings found = find_anomalies(model, score_table(model, table), {.rows = rows});
    for (const Finding& finding : found.rows) {
      const Witness& witness = found.witness_of(finding);
      if (witness.conditions.size() != 1) continue;
      const auto most = std::ranges::max_element(finding.columns, {}, &ColumnBits::bits);
      const bool agrees = model.schema().columns[most->column].name == witness.conditions[0].column;
      EXPECT_EQ(model.schema().columns[finding.columns[0].column].name, witness.conditions[0].column);
      EXPECT_EQ(reason_in_words(finding, witness, model.schema()).find("; ") == std::string::npos, agrees);
      n_agree += agrees ? 1 : 0;
      ++n_all;
    }
  }
  EXPECT_GE(n_all, 60U);
  EXPECT_GE(static_cast<double>(n_agree), 0.95 * static_cast<double>(n_all)) << n_agree << " of " << n_all;
}

TEST(NearestNormal, names_the_column_that_is_far_out) {
  OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::normal, ColumnSort::even}, 2000, 1);
  owned.at(7, 1) = 12;
  const Model model = owned.fit({});
  const auto change = nearest_normal(model, owned.table().rows(7, 8), *model.threshold());
  ASSERT_TRUE(change.has_value());
  ASSERT_EQ(change->size(), 1U);
  EXPECT_EQ(change->front().column, "x1");
  EXPECT_LT(change->front().high, 5);
}

TEST(NearestNormal, of_a_column_that_was_constant_is_its_value) {
  std::vector<double> numbers;
  std::vector<std::string_view> texts;
  std::vector<double> fives;
  const OwnedTable owned = random_table({ColumnSort::normal}, 500, 1);
  for (std::size_t row = 0; row < 500; ++row) {
    numbers.push_back(owned.values[row]);
    texts.emplace_back("same");
    fives.push_back(5);
  }
  const auto table = [&] {
    return Table(500, {{"x", numbers.data()}, {"five", fives.data()}, Column::of_texts("text", texts.data())});
  };
  const Table fitted = table();
  const Schema schema{{{.name = "x"}, {.name = "five"}, {.name = "text", .kind = Kind::category, .levels = {"same"}}}};
  const Model model = Model::fit(fitted, schema);
  for (const std::string_view column : {"five", "text"}) {
    std::vector<double> six(1, column == "five" ? 6 : 5);
    std::vector<std::string_view> other(1, column == "text" ? "other" : "same");
    const Table row(1, {{"x", numbers.data()}, {"five", six.data()}, Column::of_texts("text", other.data())});
    const auto change = nearest_normal(model, row, *model.threshold());
    ASSERT_TRUE(change.has_value()) << column;
    ASSERT_EQ(change->size(), 1U) << column;
    EXPECT_EQ(change->front().column, column);
    EXPECT_FALSE(RowFilter(model.schema(), *change).matches(row).front()) << column;
    EXPECT_TRUE(RowFilter(model.schema(), *change).matches(fitted).front()) << column;
  }
}

TEST(NearestNormal, may_take_two_columns) {
  OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::normal}, 2000, 1);
  owned.at(7, 0) = 12;
  owned.at(7, 1) = 12;
  const Model model = owned.fit({});
  const auto score = [&](double x, double y) {
    return model.score(Table::row_major(std::vector<double>{x, y}, 2)).front();
  };
  double least = score(12, 12);  // the lowest score with one of the two columns changed
  for (double x = -4; x <= 4; x += 0.01) least = std::min({least, score(x, 12), score(12, x)});
  const auto change = nearest_normal(model, owned.table().rows(7, 8), least - 0.5);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->size(), 2U);
}

}  // namespace
}  // namespace pidforest
