// SPDX-License-Identifier: Apache-2.0
// `complete_schema`: the parts of a schema that are left to the data.
#include <gtest/gtest.h>

#include <string>

#include "unit/schema/encoding.h"

namespace pidforest::schema {
namespace {

TEST(complete, categories_get_the_levels_of_the_data_sorted) {
  const ColumnTable texts = ColumnTable().texts("x", {"b", "a", std::nullopt, "b", "", "C"});
  EXPECT_EQ(completed_column(column_of(Kind::category), texts).levels, (std::vector<std::string>{"C", "a", "b"}));
  const ColumnTable numbers = ColumnTable().numbers("x", {10, 9, nan, -0.0, 0, 0.5});
  const ColumnSchema numeric = completed_column(column_of(Kind::category), numbers);
  EXPECT_EQ(numeric.levels, (std::vector<std::string>{"0", "0.5", "9", "10"}));
  EXPECT_TRUE(numeric.numeric_levels);
  const ColumnTable booleans = ColumnTable().booleans("x", {1, 0, nan});
  EXPECT_EQ(completed_column(column_of(Kind::category), booleans).levels, (std::vector<std::string>{"false", "true"}));
  const ColumnTable infinite = ColumnTable().numbers("x", {1, inf});
  EXPECT_EQ(complaint([&] { completed(column_of(Kind::category), infinite); }),
            "row 2, column 'x': must be finite; got 'inf'.");
}

TEST(complete, a_value_that_is_not_among_the_declared_levels_is_refused) {
  const ColumnTable owned = ColumnTable().texts("x", {"red", std::nullopt, "blu"});
  EXPECT_EQ(complaint([&] { completed(with_levels(Kind::category, {"red", "blue"}), owned); }),
            "row 3, column 'x': must be one of 'red', 'blue'; got 'blu'. Correct it, or add it to the levels in the "
            "schema.");
  EXPECT_THROW(completed(with_levels(Kind::ordinal, {"red", "blue"}), owned), InvalidInput);
  const ColumnTable numbers = ColumnTable().numbers("x", {1, 2, 3});
  EXPECT_THROW(completed(with_levels(Kind::category, {"1", "2"}, true), numbers), InvalidInput);
}

TEST(complete, text_in_a_continuous_column_is_refused) {
  const ColumnTable owned = ColumnTable().texts("x", {"1", "two"});
  EXPECT_TRUE(complaint([&] { completed(column_of(Kind::continuous), owned); }).starts_with("row 2, column 'x'"));
}

TEST(complete, texts_that_are_no_utf8_cannot_become_levels) {
  const ColumnTable owned = ColumnTable().texts("x", {"a", "\xFF"});
  EXPECT_TRUE(complaint([&] {
                completed(column_of(Kind::category), owned);
              }).starts_with("row 2, column 'x': must be text in UTF-8"));
}

TEST(complete, a_hierarchy_has_the_lowest_names_as_levels_in_the_order_of_their_codes) {
  const Parents parents{
      {"de", "europe"}, {"us", "america"}, {"fr", "europe"}, {"europe", "world"}, {"america", "world"}};
  const ColumnTable owned = ColumnTable().texts("x", {"us", "de"});
  const ColumnSchema found = completed_column(hierarchy(parents), owned);
  EXPECT_EQ(found.levels, (std::vector<std::string>{"de", "fr", "us"}));
  EXPECT_EQ(completed_column(found, owned), found);
  EXPECT_EQ(encoded(found, owned.table()), (Numbers{2, 0}));
  const ColumnSchema declared = completed_column(hierarchy(parents, {"us", "de", "fr"}), owned);
  EXPECT_EQ(declared.levels, (std::vector<std::string>{"us", "de", "fr"}));
}

TEST(complete, a_value_without_a_parent_is_refused) {
  const ColumnTable owned = ColumnTable().texts("x", {"de", "narnia"});
  EXPECT_EQ(
      complaint([&] { completed(hierarchy({{"de", "europe"}, {"us", "america"}}), owned); }),
      "row 2, column 'x': must be one of 'de', 'us'; got 'narnia'. Correct it, or give it a parent in the schema.");
  EXPECT_THROW(completed(hierarchy({{"de", "europe"}}, {"de", "narnia"}), owned), InvalidInput);
}

TEST(complete, numbers_may_have_parents) {
  const ColumnTable owned = ColumnTable().numbers("x", {2, 10});
  const ColumnSchema schema = completed_column(hierarchy({{"10", "high"}, {"2", "low"}}), owned);
  EXPECT_TRUE(schema.numeric_levels);
  EXPECT_EQ(encoded(schema, owned.table()), (Numbers{1, 0}));
}

TEST(complete, whole_numbers_make_an_ordinal_range) {
  const ColumnTable numbers = ColumnTable().numbers("x", {3, 1, nan, 5});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), numbers).range, (std::pair{1.0, 5.0}));
  const ColumnTable texts = ColumnTable().texts("x", {"3", "1", ""});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), texts).range, (std::pair{1.0, 3.0}));
}

TEST(complete, other_numbers_make_ordinal_levels) {
  const ColumnTable halves = ColumnTable().numbers("x", {1.5, 1, 1.5});
  const ColumnSchema schema = completed_column(column_of(Kind::ordinal), halves);
  EXPECT_EQ(schema.levels, (std::vector<std::string>{"1", "1.5"}));
  EXPECT_TRUE(schema.numeric_levels);
  const ColumnTable wide = ColumnTable().numbers("x", {0, 1e6});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), wide).levels, (std::vector<std::string>{"0", "1000000"}));
  const ColumnTable one = ColumnTable().numbers("x", {7, 7});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), one).levels, std::vector<std::string>{"7"});
}

TEST(complete, ordinal_texts_need_their_order_declared) {
  const ColumnTable owned = ColumnTable().texts("x", {"low", "high"});
  const std::string message = complaint([&] { completed(column_of(Kind::ordinal), owned); });
  EXPECT_TRUE(message.starts_with("column 'x': ")) << message;
  EXPECT_NE(message.find("\"levels\""), std::string::npos) << message;
}

TEST(complete, times_get_zone_resolution_and_derivations) {
  const ColumnTable owned = ColumnTable().texts("x", {"2026-11-16T08:30+02:00", "2026-11-17T09:00+02:00", ""});
  const ColumnSchema schema = completed_column(column_of(Kind::time), owned);
  EXPECT_EQ(schema.zone, "+02:00");
  EXPECT_EQ(schema.resolution, Resolution::minute);
  EXPECT_EQ(schema.derive, (std::vector{Derivation::hour_of_day, Derivation::day_of_week}));
}

TEST(complete, a_zone_is_taken_from_texts_only_if_all_share_it) {
  const auto zone_of = [](const Texts& texts) {
    const ColumnTable owned = ColumnTable().texts("x", texts);
    return completed_column(column_of(Kind::time), owned).zone;
  };
  EXPECT_EQ(zone_of({"2026-11-16T08:00-03:30", "2026-11-17T08:00-03:30"}), "-03:30");
  EXPECT_EQ(zone_of({"2026-11-16T08:00Z"}), "UTC");
  EXPECT_EQ(zone_of({"2026-11-16T08:00"}), "UTC");
  EXPECT_EQ(zone_of({"2026-11-16T08:00+01:00", "2026-11-16T08:00+02:00"}), "UTC");
  EXPECT_EQ(zone_of({"2026-11-16T08:00+01:00", "2026-11-16T08:00"}), "UTC");
  EXPECT_EQ(zone_of({"2026-11-16T08:00", "2026-11-16T08:00+01:00"}), "UTC");
}

TEST(complete, what_is_declared_of_a_time_stays) {
  ColumnSchema schema = time_of({Derivation::epoch}, Resolution::second);
  schema.zone = "+01:00";
  const ColumnTable owned = ColumnTable().times("x", {0, values::hour});
  EXPECT_EQ(completed_column(schema, owned), schema);
}

TEST(complete, the_coarsest_resolution_is_that_of_the_local_clock) {
  ColumnSchema schema = column_of(Kind::time);
  schema.zone = "+05:30";
  const ColumnTable owned = ColumnTable().times("x", {values::hour / 2, values::hour + values::hour / 2});
  EXPECT_EQ(completed_column(schema, owned).resolution, Resolution::hour);
  const ColumnTable fine = ColumnTable().times("x", {0, 1});
  EXPECT_EQ(completed_column(schema, fine).resolution, Resolution::microsecond);
}

TEST(complete, months_are_derived_from_two_years_on) {
  const auto derived = [](std::int64_t last_day) {
    const ColumnTable owned = ColumnTable().times("x", {0, 40 * values::day, last_day * values::day});
    return completed_column(column_of(Kind::time), owned).derive;
  };
  EXPECT_EQ(derived(729), std::vector{Derivation::day_of_week});
  EXPECT_EQ(derived(730), (std::vector{Derivation::day_of_week, Derivation::month, Derivation::day_of_year}));
}

TEST(complete, a_column_without_values_stays_as_it_is) {
  const ColumnTable numbers = ColumnTable().numbers("x", {nan, nan});
  const ColumnTable texts = ColumnTable().texts("x", {std::nullopt, ""});
  const ColumnTable no_rows = ColumnTable().texts("x", {});
  for (const ColumnTable* owned : {&numbers, &texts, &no_rows})
    for (const Kind kind : {Kind::continuous, Kind::ordinal, Kind::category, Kind::boolean}) {
      EXPECT_EQ(completed_column(column_of(kind), *owned), column_of(kind));
      for (const double value : encoded(column_of(kind), owned->table())) EXPECT_TRUE(std::isnan(value));
    }
  const ColumnSchema times = completed_column(column_of(Kind::time), texts);
  EXPECT_TRUE(times.derive.empty());
  EXPECT_TRUE(encoder_of(times).axes().empty());
}

TEST(complete, columns_that_the_schema_does_not_name_are_left_out) {
  const ColumnTable owned = ColumnTable().texts("other", {"?"}).numbers("x", {1});
  EXPECT_EQ(completed(column_of(Kind::continuous), owned), (Schema{{column_of(Kind::continuous)}}));
}

TEST(complete, an_invalid_schema_is_refused) {
  const ColumnTable owned = ColumnTable().numbers("x", {1});
  EXPECT_THROW(completed(circle(-1), owned), InvalidInput);
}

TEST(complete, one_wrong_value_is_found_in_any_block) {
  Texts texts(10'000, "a");
  texts[9'999] = "b";
  const ColumnTable owned = ColumnTable().texts("x", texts);
  EXPECT_TRUE(complaint([&] { completed(with_levels(Kind::category, {"a"}), owned); }).starts_with("row 10000,"));
}

}  // namespace
}  // namespace pidforest::schema
