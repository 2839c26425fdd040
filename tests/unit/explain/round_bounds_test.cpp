// SPDX-License-Identifier: Apache-2.0
// The laws of round bounds: a cube with them holds the same rows, and everything that the cube held before.
#include "explain/round_bounds.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "unit/schema/encoding.h"
#include "values/number_text.h"

namespace pidforest::explain {
namespace {

using geometry::Part;

/// A column of numbers with what a part of it needs to get round bounds.
struct OneColumn {
  schema::Encoder encoder;
  std::vector<double> values;
  std::vector<std::size_t> order{0};
  std::vector<geometry::Interval> root{{.low = -1000, .high = 1000}};

  OneColumn(const ColumnSchema& column, const std::vector<double>& numbers)
      : encoder(Schema{{column}}), values(schema::encoded(column, numbers)) {}

  [[nodiscard]] reasons::Neighbours neighbours(const Part& part) const {
    reasons::Neighbours found(std::span(&part, 1), 1);
    found.add({.n = values.size(), .columns = {{values.data()}}});
    return found;
  }
  [[nodiscard]] Part round(const Part& part) const {
    return with_round_bounds(part, neighbours(part), {encoder, order, root});
  }
  [[nodiscard]] std::string words(const Part& part) const {
    return to_words(condition_of(round(part), {encoder, order, root}), encoder.schema());
  }
};

const ColumnSchema number{.name = "x"};

TEST(round_bounds, lie_between_the_bound_and_the_next_row_outside) {
  const OneColumn column(number, {1.65697, 42.6, 1048.4});
  EXPECT_EQ(column.words({.low = 545.5}), "x > 50");
  EXPECT_EQ(column.words({.low = 44.123}), "x > 43");
  EXPECT_EQ(column.words({.low = 42.61234}), "x > 42.6");
  EXPECT_EQ(column.words({.low = 42.6}), "x > 2");
  EXPECT_EQ(column.words({.low = 10.2, .high = 545.5}), "2 < x < 1000");
  EXPECT_EQ(column.words({.high = 10.2}), "x < 40");
}

TEST(round_bounds, beyond_all_rows_are_the_last_row) {
  const OneColumn column(number, {12.375, 97.83});
  EXPECT_EQ(column.words({.low = 98.2}), "x > 97.83");
  EXPECT_EQ(column.words({.high = 12.1}), "x < 12.375");
}

TEST(round_bounds, are_not_moved_where_all_rows_are_inside) {
  EXPECT_EQ(OneColumn(number, {5}).words({.low = 4.4321}), "x >= 4.4321");
}

TEST(round_bounds, of_whole_numbers_are_whole) {
  ColumnSchema stars{.name = "x", .kind = Kind::ordinal};
  stars.range = {1, 100};
  const OneColumn column(stars, {3, 7, 64});
  EXPECT_EQ(column.words({.low = 30}), "x >= 8");
  EXPECT_EQ(column.words({.low = 12, .high = 30}), "x 8 to 59");
  EXPECT_EQ(column.words({.low = 70}), "x >= 65");
}

RC_GTEST_PROP(round_bounds, keep_every_row_and_every_value_inside, ()) {
  const bool is_whole = *rc::gen::arbitrary<bool>();
  ColumnSchema schema{.name = "x", .kind = is_whole ? Kind::ordinal : Kind::continuous};
  if (is_whole) schema.range = {-1000, 1000};
  const double step = is_whole ? 1 : 0.001;
  const auto any_number = [&] { return std::round(*rc::gen::inRange(-900'000, 900'000) * step / 1000) * 1.0; };
  std::vector<double> numbers;
  for (int i = *rc::gen::inRange(1, 30); i > 0; --i) numbers.push_back(is_whole ? any_number() : any_number() * step);
  const OneColumn column(schema, numbers);
  const auto any_bound = [&](double open) {
    return *rc::gen::inRange(0, 4) == 0
               ? open
               : static_cast<double>(*rc::gen::inRange(-1000, 2000)) * (is_whole ? 1 : 0.00037);
  };
  const double a = any_bound(-schema::inf);
  const double b = any_bound(schema::inf);
  RC_PRE(a < b);
  const Part part{.low = a, .high = b};
  const Part round = column.round(part);
  RC_ASSERT(round.low <= part.low && part.high <= round.high);
  for (const double x : column.values) RC_ASSERT(part.holds(x) == round.holds(x));
  const auto n_digits = [](double x) { return values::shortest_text(x).size(); };
  if (std::isfinite(a) && round.low != a && !is_whole)
    RC_ASSERT(n_digits(std::nextafter(round.low, -schema::inf)) <= n_digits(a) + 1 ||
              !column.neighbours(part).above(0, a));
}

/// The reason of a row in words, and whether the row satisfies its conditions.
std::pair<std::string, bool> reason_of(const Model& model, const Table& row) {
  const Explanations why = Explainer(model).explain(row);
  const Witness& witness = why.witnesses.at(why.witness_of.at(0));
  return {to_words(witness.conditions, model.schema()), RowFilter(model.schema(), witness.conditions).matches(row)[0]};
}

TEST(round_bounds, a_column_of_0_and_1_is_said_by_its_values) {
  std::vector<double> on(200, 0.0);
  std::vector<double> load(200);
  for (std::size_t i = 0; i < load.size(); ++i) load[i] = static_cast<double>(i * 7 % 20);
  on[70] = on[150] = 1;
  const Table table(200, {{"on", on.data()}, {"load", load.data()}});
  const Model model = Model::fit(table);
  EXPECT_EQ(reason_of(model, table.rows(70, 71)), std::pair(std::string("on = 1"), true));
}

TEST(round_bounds, a_row_with_another_value_than_0_and_1_still_satisfies_its_reason) {
  std::vector<double> on(200, 0.0);
  std::vector<double> load(200);
  for (std::size_t i = 0; i < load.size(); ++i) load[i] = static_cast<double>(i * 7 % 20);
  on[70] = on[150] = 1;
  const Table table(200, {{"on", on.data()}, {"load", load.data()}});
  const Model model = Model::fit(table);
  for (const double value : {0.25, 0.5, 0.75, 2.0}) {
    const double usual = 3;
    const auto [words, holds] = reason_of(model, Table(1, {{"on", &value}, {"load", &usual}}));
    EXPECT_TRUE(holds) << value << ": " << words;
    EXPECT_EQ(words.find("on = "), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace pidforest::explain
