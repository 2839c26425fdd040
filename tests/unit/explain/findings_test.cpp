// SPDX-License-Identifier: Apache-2.0
// The laws of findings: they are what a plain look at all rows finds, however the rows come.
#include "explain/findings.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string_view>

#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "random_table.h"

namespace pidforest {
namespace {

/// A table with the scores of the model that was fitted on it; the rarest quarter are anomalies.
struct Case {
  OwnedTable owned = any_table(300);
  Table table = owned.table();
  const Table& rows = table;
  Model model = owned.fit(any_options());
  Scores scores = score_table(model, rows);

  [[nodiscard]] double min_bits() const {
    std::vector<double> sorted = scores.bits;
    std::ranges::sort(sorted);
    return sorted[sorted.size() * 3 / 4];
  }
  [[nodiscard]] FindOptions options() const { return {.min_bits = min_bits()}; }
  [[nodiscard]] std::vector<bool> inside(const Witness& witness) const {
    return RowFilter(model.schema(), witness.conditions).matches(table);
  }
};

std::vector<bool> any_flags(std::size_t n) {
  return *rc::gen::container<std::vector<bool>>(n, rc::gen::arbitrary<bool>());
}

bool operator==(const ColumnBits& a, const ColumnBits& b) {
  return a.column == b.column && a.bits == b.bits && a.value == b.value;
}

void expect_same(const Findings& a, const Findings& b) {
  RC_ASSERT(a.rows.size() == b.rows.size());
  for (std::size_t i = 0; i < a.rows.size(); ++i) {
    const Finding& x = a.rows[i];
    const Finding& y = b.rows[i];
    RC_ASSERT(x.row == y.row && x.bits == y.bits && x.is_anomaly == y.is_anomaly);
    RC_ASSERT(a.witness_of(x) == b.witness_of(y));
    RC_ASSERT(std::ranges::equal(x.columns, y.columns, [](const auto& one, const auto& two) { return one == two; }));
    RC_ASSERT(x.normal_if == y.normal_if && x.impostors == y.impostors);
  }
  RC_ASSERT(a.incidents.size() == b.incidents.size());
  for (std::size_t i = 0; i < a.incidents.size(); ++i) {
    RC_ASSERT(a.incidents[i].rows == b.incidents[i].rows && a.incidents[i].bits == b.incidents[i].bits);
    RC_ASSERT(a.witness_of(a.incidents[i]) == b.witness_of(b.incidents[i]));
  }
}

RC_GTEST_PROP(findings, the_top_rows_are_the_first_of_all_sorted_rows, ()) {
  const Case one;
  FindOptions options = one.options();
  options.top = *rc::gen::inRange<std::size_t>(0, one.table.n_rows() + 5);
  const Findings found = find_anomalies(one.model, one.scores, options);
  std::vector<std::uint64_t> sorted(one.table.n_rows());
  std::iota(sorted.begin(), sorted.end(), std::uint64_t{0});
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [&](std::uint64_t row) { return one.scores.bits[row]; });
  RC_ASSERT(found.rows.size() == std::min(options.top, sorted.size()));
  for (std::size_t i = 0; i < found.rows.size(); ++i) {
    RC_ASSERT(found.rows[i].row == sorted[i]);
    RC_ASSERT(found.rows[i].bits == one.scores.bits[sorted[i]]);
    RC_ASSERT(found.rows[i].is_anomaly == std::optional(found.rows[i].bits >= one.min_bits()));
  }
}

RC_GTEST_PROP(findings, suppressed_rows_are_counted_and_never_listed, ()) {
  Case one;
  one.scores.suppressed = any_flags(one.table.n_rows());
  FindOptions options = one.options();
  options.top = one.table.n_rows();
  options.incidents = true;
  const Findings found = find_anomalies(one.model, one.scores, options);
  std::uint64_t n_anomalies = 0;
  std::uint64_t n_suppressed = 0;
  for (std::size_t row = 0; row < one.table.n_rows(); ++row)
    if (one.scores.bits[row] >= *options.min_bits) ++(one.scores.suppressed[row] ? n_suppressed : n_anomalies);
  RC_ASSERT(found.n_anomalies == n_anomalies && found.n_suppressed == n_suppressed);
  const auto n_listed = std::ranges::count(one.scores.suppressed, false);
  RC_ASSERT(found.rows.size() == static_cast<std::size_t>(n_listed));
  for (const Finding& finding : found.rows) RC_ASSERT(!one.scores.suppressed[finding.row]);
  for (const Incident& incident : found.incidents)
    for (const std::uint64_t row : incident.rows) RC_ASSERT(!one.scores.suppressed[row]);
}

RC_GTEST_PROP(findings, rows_without_a_score_are_counted_and_never_listed, ()) {
  Case one;
  const std::vector<bool> has_none = any_flags(one.table.n_rows());
  for (std::size_t row = 0; row < has_none.size(); ++row)
    if (has_none[row]) one.scores.bits[row] = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::uint64_t> all(one.table.n_rows());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  const Findings found = find_anomalies(one.model, one.scores, {.rows = all});
  const auto n_unscored = static_cast<std::uint64_t>(std::ranges::count(has_none, true));
  RC_ASSERT(found.n_unscored == n_unscored);
  RC_ASSERT(found.rows.size() + n_unscored == found.n_rows);
  for (const Finding& finding : found.rows) RC_ASSERT(!has_none[finding.row]);
}

RC_GTEST_PROP(findings, impostors_are_the_first_other_rows_that_a_filter_leaves, ()) {
  const Case one;
  FindOptions options = one.options();
  options.impostors = *rc::gen::inRange<std::size_t>(1, 8);
  const Findings found = find_anomalies(one.model, one.scores, options);
  for (const Finding& finding : found.rows) {
    const std::vector<bool> inside = one.inside(found.witness_of(finding));
    std::vector<std::uint64_t> expected;
    for (std::size_t row = 0; row < inside.size() && expected.size() < options.impostors; ++row)
      if (inside[row] && row != finding.row) expected.push_back(row);
    RC_ASSERT(finding.impostors == std::optional(expected));
  }
}

RC_GTEST_PROP(findings, impostors_in_another_table_are_its_rows, ()) {
  const Case one;
  const Table other = one.table;
  Explainer explainer(one.model, other);
  const Findings found = find_anomalies(explainer, one.scores, {.top = 5, .impostors = 3});
  for (const Finding& finding : found.rows) {
    const std::vector<bool> inside = one.inside(found.witness_of(finding));
    std::vector<std::uint64_t> expected;
    for (std::size_t row = 0; row < inside.size() && expected.size() < 3; ++row)
      if (inside[row]) expected.push_back(row);
    RC_ASSERT(finding.impostors == std::optional(expected));
  }
}

RC_GTEST_PROP(findings, every_anomaly_is_in_one_incident_whose_witness_holds_it, ()) {
  const Case one;
  FindOptions options = one.options();
  options.incidents = true;
  const Findings found = find_anomalies(one.model, one.scores, options);
  std::multiset<std::uint64_t> rows;
  double last = std::numeric_limits<double>::infinity();
  for (const Incident& incident : found.incidents) {
    const std::vector<bool> inside = one.inside(found.witness_of(incident));
    RC_ASSERT(incident.bits == one.scores.bits[incident.rows.front()] && incident.bits <= last);
    last = incident.bits;
    for (const std::uint64_t row : incident.rows) {
      RC_ASSERT(inside[row] && one.scores.bits[row] <= incident.bits);
      rows.insert(row);
    }
  }
  RC_ASSERT(rows.size() == found.n_anomalies);
  for (std::size_t row = 0; row < one.table.n_rows(); ++row)
    RC_ASSERT(rows.count(row) == (one.scores.bits[row] >= *options.min_bits ? 1U : 0U));
}

RC_GTEST_PROP(findings, what_makes_an_anomaly_normal_is_the_nearest_change, ()) {
  const Case one;
  FindOptions options = one.options();
  options.top = 3;
  options.normal_if = true;
  const Findings found = find_anomalies(one.model, one.scores, options);
  for (const Finding& finding : found.rows) {
    const Table only = one.table.rows(finding.row, finding.row + 1);
    const auto change = nearest_normal(one.model, only, *found.rule.most_normal());
    RC_ASSERT(finding.normal_if == (*finding.is_anomaly ? change : std::nullopt));
  }
}

RC_GTEST_PROP(findings, are_the_same_for_any_threads_and_batch_size, ()) {
  const Case one;
  TableStore store({.batch_rows = *rc::gen::inRange<std::size_t>(1, 50)});
  for (std::size_t row = 0; row < one.table.n_rows(); row += 3)
    store.append(one.table.rows(row, std::min(row + 3, one.table.n_rows())));
  FindOptions options = one.options();
  options.incidents = true;
  options.impostors = 2;
  options.normal_if = true;
  const Findings found = find_anomalies(one.model, one.scores, options, {.threads = 1});
  expect_same(found, find_anomalies(one.model, score_table(one.model, store), options, {.threads = 3}));
}

RC_GTEST_PROP(findings, of_every_row_are_those_of_rows_that_are_asked_for, ()) {
  const Case one;
  std::vector<std::uint64_t> all(one.table.n_rows());
  std::iota(all.begin(), all.end(), std::uint64_t{0});
  const Findings asked = find_anomalies(one.model, one.scores, {.min_bits = one.min_bits(), .rows = all});
  TableStore store({.batch_rows = 40});
  for (std::size_t row = 0; row < one.table.n_rows(); ++row) store.append(one.table.rows(row, row + 1));
  Explainer explainer(one.model, store);
  Findings each;
  explain_each(explainer, store, one.min_bits(), [&](const Table& batch, const Findings& found) {
    RC_ASSERT(batch.n_rows() == found.rows.size());
    each.witnesses = found.witnesses;
    each.rows.insert(each.rows.end(), found.rows.begin(), found.rows.end());
  });
  expect_same(asked, each);
}

TEST(findings, samples_take_their_scores_from_windows) {
  const std::vector<double> values{0, 1, 2, 3, 4, 5, 6, 7, 8, 90};
  const Table table = Table::row_major(values, 1);
  const Table& rows = table;
  const Model model = Model::fit(table, {.n_estimators = 10, .contamination = Options::none});
  const Scores windows = score_table(model, rows);
  constexpr auto no_window = static_cast<std::size_t>(-1);
  const Scores samples = score_samples(windows, rows, {9, 9, no_window, 0});
  EXPECT_EQ(samples.bits[1], windows.bits[9]);
  EXPECT_TRUE(std::isnan(samples.bits[2]));
  const Findings found = find_anomalies(model, samples, {.impostors = 20});
  ASSERT_EQ(found.rows.size(), 3U);
  EXPECT_EQ(found.rows[0].row, 0U);
  EXPECT_EQ(found.rows[1].row, 1U);
  EXPECT_EQ(found.n_unscored, 1U);
  EXPECT_FALSE(found.rows[0].is_anomaly.has_value());
  for (const Finding& finding : found.rows)
    for (const std::uint64_t impostor : *finding.impostors) EXPECT_TRUE(impostor == 0 || impostor == 3) << impostor;
}

TEST(findings, scores_and_rows_must_fit_the_table) {
  const std::vector<double> values{1, 2, 3, 4};
  const Table table = Table::row_major(values, 1);
  const Table& rows = table;
  const Model model = Model::fit(table, {.n_estimators = 1});
  EXPECT_THROW((void)find_anomalies(model, Scores{.rows = rows, .scored = rows, .bits = {1, 2}}), InvalidInput);
  const std::vector<std::uint64_t> beyond{4};
  EXPECT_THROW((void)find_anomalies(model, score_table(model, rows), {.rows = beyond}), InvalidInput);
  EXPECT_TRUE(find_anomalies(model, score_table(model, rows), {.top = 0}).rows.empty());
}

/// A table with an even number, a number that never changes and a category, and a model of it.
struct Fitted {
  explicit Fitted(bool reasons = true) {
    for (std::size_t row = 0; row < 6000; ++row) {
      numbers.push_back(static_cast<double>(row * 7 % 101));
      levels.emplace_back(row % 3 == 0 ? "north" : "south");
    }
    model = Model::fit(table(numbers, sevens, levels), {.reasons = reasons});
  }

  static Table table(const std::vector<double>& x, const std::vector<double>& build,
                     const std::vector<std::string_view>& place) {
    return Table(x.size(), {{"x", x.data()}, {"build", build.data()}, Column::of_texts("place", place.data())});
  }
  [[nodiscard]] Witness witness(double x, double build, std::string_view place) const {
    const std::vector<double> xs{x};
    const std::vector<double> builds{build};
    const std::vector<std::string_view> places{place};
    return Explainer(*model).explain(table(xs, builds, places)).witnesses[0];
  }

  std::vector<double> numbers;
  std::vector<double> sevens = std::vector<double>(6000, 7);
  std::vector<std::string_view> levels;
  std::optional<Model> model;
};

TEST(explainer, tells_values_that_the_fit_has_never_seen) {
  const Fitted fitted;
  const auto expect_new = [&](const Witness& witness, std::string_view column) {
    ASSERT_EQ(witness.conditions.size(), 1U) << column;
    EXPECT_EQ(witness.conditions[0].column, column);
    EXPECT_EQ(witness.n_inside, 0U);
    EXPECT_EQ(witness.n_rows, 6000U);
  };
  expect_new(fitted.witness(5000, 7, "north"), "x");
  expect_new(fitted.witness(50, 8, "north"), "build");
  const Witness unseen = fitted.witness(50, 7, "west");
  expect_new(unseen, "place");
  EXPECT_EQ(unseen.conditions[0].shape, Condition::Shape::other_levels);
  EXPECT_EQ(unseen.conditions[0].levels.size(), 2U);
}

TEST(explainer, says_that_a_value_was_the_only_one_of_constant_columns_alone) {
  const Fitted fitted;
  EXPECT_EQ(fitted.witness(50, 8, "north").only_value, "7");
  EXPECT_EQ(fitted.witness(50, 7, "west").only_value, "");
  EXPECT_EQ(fitted.witness(5000, 7, "north").only_value, "");
  EXPECT_EQ(fitted.witness(-5000, 7, "north").only_value, "");
}

TEST(explainer, names_the_changed_constant_of_a_row_that_has_a_missing_value_too) {
  const Fitted fitted;
  const double missing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fitted.witness(missing, 7, "north").conditions.at(0).column, "x");
  EXPECT_EQ(fitted.witness(missing, 8, "north").conditions.at(0).column, "build");
}

TEST(explainer, needs_rows_to_count_if_the_model_has_no_reasons) {
  const Fitted fitted(false);
  EXPECT_FALSE(fitted.model->has_reasons());
  EXPECT_THROW(Explainer(*fitted.model), InvalidInput);
  const Table table = Fitted::table(fitted.numbers, fitted.sevens, fitted.levels);
  const Table few = table.rows(0, 100);
  const Findings found = find_anomalies(*fitted.model, score_table(*fitted.model, few));
  for (const Witness& witness : found.witnesses) EXPECT_EQ(witness.n_rows, 100U);
  const Fitted with;
  const Findings of_fit = find_anomalies(*with.model, score_table(*with.model, few));
  for (const Witness& witness : of_fit.witnesses) EXPECT_EQ(witness.n_rows, 6000U);
}

TEST(anomaly_rule, a_minimum_replaces_the_threshold) {
  const AnomalyRule neither;
  EXPECT_EQ(neither.is_anomaly(100), std::nullopt);
  const AnomalyRule threshold{.threshold = 4};
  EXPECT_EQ(threshold.is_anomaly(4), false);
  EXPECT_EQ(threshold.is_anomaly(4.1), true);
  EXPECT_EQ(threshold.is_anomaly(4.1, true), false);
  EXPECT_EQ(threshold.is_anomaly(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
  const AnomalyRule minimum{.threshold = 4, .min_bits = 2};
  EXPECT_EQ(minimum.is_anomaly(2), true);
  EXPECT_EQ(minimum.limit(), 2);
  EXPECT_EQ(minimum.is_anomaly(*minimum.most_normal()), false);
}

TEST(known_reasons, are_conditions_or_witnesses) {
  const std::vector<double> values{1, 2, 3, 4};
  const Table table = Table::row_major(values, 1);
  const Schema schema = Model::fit(table, {.n_estimators = 1}).schema();
  const KnownReasons known(schema, R"([[{"column": "x0", "below": 2}], {"conditions": [{"column": "x0", "at_least": 4}],
    "n_inside": 1}])");
  EXPECT_EQ(known.matches(table), (std::vector<bool>{true, false, false, true}));
  EXPECT_TRUE(KnownReasons().empty());
  EXPECT_EQ(KnownReasons().matches(table), std::vector<bool>(4, false));
  for (const std::string_view bad : {"[", "{}", "[[]]", "[{}]", "[3]", R"([[{"column": "y"}]])"})
    EXPECT_THROW(KnownReasons(schema, bad), InvalidInput) << bad;
}

TEST(RarestRows, AreThoseOfASortOfAllRows) {
  constexpr std::size_t n_rows = 3000;
  const Table table(n_rows, {});
  Scores scores{.rows = table, .scored = table, .bits = {}};
  for (std::size_t row = 0; row < n_rows; ++row) {
    scores.bits.push_back(static_cast<double>(row * 7919 % 400) / 8);  // with ties
    if (row % 11 == 3) scores.bits.back() = std::numeric_limits<double>::quiet_NaN();
    scores.suppressed.push_back(row % 13 == 5);
  }
  std::vector<std::uint64_t> all;
  for (std::size_t row = 0; row < n_rows; ++row)
    if (!std::isnan(scores.bits[row]) && !scores.is_suppressed(row)) all.push_back(row);
  std::ranges::stable_sort(all, std::ranges::greater{}, [&](std::uint64_t row) { return scores.bits[row]; });
  for (const std::size_t n : {0UL, 1UL, 2UL, 10UL, 700UL, 2000UL, 2999UL, 3000UL, ~0UL}) {
    const auto expected = std::span(all).first(std::min(n, all.size()));
    EXPECT_TRUE(std::ranges::equal(explain::rarest_rows(scores, n), expected)) << n;
  }
}

}  // namespace
}  // namespace pidforest
