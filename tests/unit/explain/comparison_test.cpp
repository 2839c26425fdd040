// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "unit/explain/mixed_column.h"

namespace pidforest {
namespace {

using schema::complaint;
using Places = std::vector<std::size_t>;

Schema orders() {
  ColumnSchema placed = schema::time_of({Derivation::hour_of_day});
  placed.name = "placed";
  ColumnSchema price = column_of(Kind::continuous, "price");
  price.written = "$1,234.5";
  ColumnSchema country = with_levels(Kind::category, {"AR", "BR", "DE and FR"});
  country.name = "country";
  ColumnSchema size = with_levels(Kind::ordinal, {"S", "M", "L"});
  size.name = "size";
  ColumnSchema is_new = column_of(Kind::boolean, "is new");
  return {
      {column_of(Kind::continuous, "amount"), placed, price, country, size, is_new, column_of(Kind::ignored, "note")}};
}

/// The rows that satisfy the words.
Places rows_of(const std::string& words) {
  const ColumnTable owned = ColumnTable()
                                .numbers("amount", {1, 2, 3, nan})
                                .texts("placed", {"2026-11-15 23:59", "2026-11-16", "2026-11-16 08:30", std::nullopt})
                                .texts("price", {"$1,200", "$5", "$7.50", std::nullopt})
                                .texts("country", {"AR", "BR", "DE and FR", std::nullopt})
                                .texts("size", {"S", "M", "L", std::nullopt})
                                .texts("is new", {"true", "false", "true", std::nullopt});
  const std::vector<bool> matches = RowFilter::of_words(orders(), words).matches(owned.table());
  Places places;
  for (std::size_t i = 0; i < matches.size(); ++i)
    if (matches[i]) places.push_back(i);
  return places;
}

std::string complaint_of(const std::string& words) {
  return complaint([&] { (void)RowFilter::of_words(orders(), words); });
}

TEST(comparison, signs_compare_numbers) {
  EXPECT_EQ(rows_of("amount < 2"), (Places{0}));
  EXPECT_EQ(rows_of("amount <= 2"), (Places{0, 1}));
  EXPECT_EQ(rows_of("amount > 2"), (Places{2}));
  EXPECT_EQ(rows_of("amount>=2"), (Places{1, 2}));
  EXPECT_EQ(rows_of("amount = 2"), (Places{1}));
  EXPECT_EQ(rows_of("amount == 2.0"), (Places{1}));
  EXPECT_EQ(rows_of("1 < amount <= 3"), (Places{1, 2}));
}

TEST(comparison, a_missing_value_satisfies_neither_a_comparison_nor_its_opposite) {
  EXPECT_EQ(rows_of("amount != 2"), (Places{0, 2}));
  EXPECT_EQ(rows_of("country <> AR"), (Places{1, 2}));
  EXPECT_EQ(rows_of("amount is missing"), (Places{3}));
  EXPECT_EQ(rows_of("amount is not missing"), (Places{0, 1, 2}));
}

TEST(comparison, numbers_may_be_written_as_in_the_column) {
  EXPECT_EQ(rows_of("price > $1,000"), (Places{0}));
  EXPECT_EQ(rows_of("price <= 7.5"), (Places{1, 2}));
}

TEST(comparison, levels_are_equal_or_in_a_set) {
  EXPECT_EQ(rows_of("country = BR"), (Places{1}));
  EXPECT_EQ(rows_of("country in {AR, BR}"), (Places{0, 1}));
  EXPECT_EQ(rows_of("country not in {AR, BR}"), (Places{2}));
  EXPECT_EQ(rows_of("country is not AR"), (Places{1, 2}));
  EXPECT_EQ(rows_of("country = 'DE and FR'"), (Places{2}));
  EXPECT_EQ(rows_of("size >= M"), (Places{1, 2}));
  EXPECT_EQ(rows_of("size < M"), (Places{0}));
}

TEST(comparison, names_may_have_blanks_and_booleans_many_words) {
  EXPECT_EQ(rows_of("is new = yes"), (Places{0, 2}));
  EXPECT_EQ(rows_of("\"is new\" = 0"), (Places{1}));
}

TEST(comparison, numbers_and_days_may_be_in_a_set) {
  EXPECT_EQ(rows_of("amount in {1, 3, 99}"), (Places{0, 2}));
  EXPECT_EQ(rows_of("amount not in {1, 99}"), (Places{1, 2}));
  EXPECT_EQ(rows_of("price in {'$1,200', 5}"), (Places{0, 1}));
  EXPECT_EQ(rows_of("placed in {2026-11-15, 2026-11-17}"), (Places{0}));
}

TEST(comparison, a_date_is_the_whole_day) {
  EXPECT_EQ(rows_of("placed = 2026-11-16"), (Places{1, 2}));
  EXPECT_EQ(rows_of("placed <= 2026-11-15"), (Places{0}));
  EXPECT_EQ(rows_of("placed > 2026-11-15"), (Places{1, 2}));
  EXPECT_EQ(rows_of("placed >= 2026-11-16 08:30"), (Places{2}));
}

TEST(comparison, all_conditions_must_hold) {
  EXPECT_EQ(rows_of("amount >= 2 AND country in {AR,BR} and placed is not missing"), (Places{1}));
}

TEST(comparison, words_that_are_no_conditions_are_refused_at_their_place) {
  const std::string example = " An example: x > 3 and y in {A, B} and z is not missing.";
  EXPECT_EQ(complaint_of("amount"),
            "the conditions must go on with =, !=, <, <=, >, >=, in {...}, is missing or is not "
            "missing; got their end." +
                example);
  EXPECT_EQ(complaint_of("amount > "), "the conditions must have a value; got their end." + example);
  EXPECT_EQ(complaint_of("country in AR"),
            "the conditions must have a set such as {A, B} after \"in\"; got 'AR'." + example);
  EXPECT_EQ(complaint_of("country in {AR"),
            "the conditions must have a } at the end of the set; got their end." + example);
  EXPECT_EQ(complaint_of("country = 'AR"),
            "the conditions must have a ' at the end of the text; got their end." + example);
  EXPECT_EQ(complaint_of("amount > 1 and"), "the conditions must have the name of a column; got their end." + example);
}

TEST(comparison, values_that_do_not_fit_the_column_are_refused) {
  EXPECT_EQ(complaint_of("amuont > 1"),
            "the condition on 'amuont' must name a column that is used: amount, placed, price, "
            "country, size, is new. Did you mean amount?");
  EXPECT_EQ(complaint_of("note = x"),
            "the condition on 'note' must name a column that is used: amount, placed, price, "
            "country, size, is new.");
  EXPECT_EQ(complaint_of("amount > much"), "the condition on 'amount' must have a number; got 'much'.");
  EXPECT_EQ(complaint_of("placed > soon"),
            "the condition on 'placed' must have a date or time such as 2026-11-16 or "
            "2026-11-16 08:30; got 'soon'.");
  EXPECT_EQ(complaint_of("country = ar"),
            "the condition on 'country' must have one of 'AR', 'BR', 'DE and FR'; got 'ar'. Did you mean AR?");
  EXPECT_EQ(complaint_of("country > AR"),
            "the condition on 'country' must have =, !=, in or not in, as its levels have "
            "no order; got 'AR'.");
}

TEST(comparison, the_columns_of_conditions_are_known_without_a_schema) {
  EXPECT_EQ(columns_in_words("a > 3 and 1 < b < 2 and c is missing"), (std::vector<std::string>{"a", "b", "b", "c"}));
}

}  // namespace
}  // namespace pidforest
