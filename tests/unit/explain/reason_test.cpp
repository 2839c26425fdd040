// SPDX-License-Identifier: Apache-2.0
// The reason of a row in words: its own value first, then how many rows are like it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pidforest/explain.h"
#include "unit/table/column_table.h"

namespace pidforest {
namespace {

using Shape = Condition::Shape;

constexpr double endless = std::numeric_limits<double>::infinity();

double above(double x) { return std::nextafter(x, endless); }

/// Weather, orders and a build number, with one row.
struct WrittenRow {
  Schema schema{{{.name = "wind_speed"},
                 {.name = "rain", .unit = "mm"},
                 {.name = "country", .kind = Kind::category, .levels = {"BR", "DE", "FR"}},
                 {.name = "currency", .kind = Kind::category, .levels = {"EUR", "SEK"}},
                 {.name = "age"},
                 {.name = "placed_at", .kind = Kind::time, .zone = "UTC", .resolution = Resolution::hour},
                 {.name = "stars", .kind = Kind::ordinal, .range = {{1, 100}}}}};
  ColumnTable owned = ColumnTable()
                          .numbers("wind_speed", {1048.4})
                          .numbers("rain", {12.5})
                          .texts("country", {"BR"})
                          .texts("currency", {"SEK"})
                          .numbers("age", {std::nan("")})
                          .texts("placed_at", {"2026-03-25 03:41:20"})
                          .numbers("stars", {98});
  double bits = 5;
  std::vector<ColumnBits> columns = {};

  WrittenRow() { schema.columns[5].derive = {Derivation::hour_of_day, Derivation::day_of_week}; }
  [[nodiscard]] Finding finding(const Witness& witness) const {
    return {.bits = bits, .own_values = own_values(witness, owned.table(), 0, schema), .columns = columns};
  }
  [[nodiscard]] std::string reason(const Witness& witness) const {
    return reason_in_words(finding(witness), witness, schema);
  }
  [[nodiscard]] std::string short_reason(const Witness& witness) const {
    return short_reason_in_words(finding(witness), witness, schema);
  }
};

Witness counted(std::vector<Condition> conditions, std::uint64_t n_inside, std::uint64_t n_rows, double volume) {
  const double rows = std::max(static_cast<double>(n_inside), 0.5);
  return {.conditions = std::move(conditions),
          .volume = volume,
          .n_inside = n_inside,
          .n_rows = n_rows,
          .bits = std::log2(volume * static_cast<double>(n_rows) / rows)};
}

Condition range(std::string column, double low, double high = endless) {
  return {.column = std::move(column), .shape = Shape::range, .low = low, .high = high};
}
Condition level(std::string column, std::string name) {
  return {.column = std::move(column), .shape = Shape::levels, .levels = {std::move(name)}};
}

TEST(reason, begins_with_the_value_of_the_row) {
  const WrittenRow one;
  const Witness witness = counted({range("wind_speed", above(42.6))}, 1, 26'115, 0.96);
  EXPECT_EQ(one.reason(witness),
            "wind_speed = 1048.4: only 1 of 26,115 rows is above 42.6 (96 % of the range, 14.6 bits)");
  EXPECT_EQ(one.short_reason(witness), "wind_speed = 1048.4: 1 row above 42.6");
  EXPECT_EQ(to_words(witness, one.schema), "wind_speed > 42.6: only 1 of 26,115 rows (96 % of the range, 14.6 bits)");
}

TEST(reason, says_where_the_rows_are) {
  const WrittenRow one;
  const auto words = [&](const Condition& condition) { return one.reason(counted({condition}, 3, 1000, 0.5)); };
  EXPECT_EQ(words(range("rain", -endless, above(20))),
            "rain = 12.5 mm: only 3 of 1,000 rows are at or below 20 (50 % of the range, 7.4 bits)");
  EXPECT_EQ(words(range("rain", 12)),
            "rain = 12.5 mm: only 3 of 1,000 rows are at or above 12 (50 % of the range, 7.4 bits)");
  EXPECT_EQ(words(range("rain", 12, 13)),
            "rain = 12.5 mm: only 3 of 1,000 rows are between 12 and 13 (50 % of the range, 7.4 bits)");
  EXPECT_EQ(words({.column = "age", .shape = Shape::missing}),
            "age is missing: only 3 of 1,000 rows lack it (50 % of the space, 7.4 bits)");
  EXPECT_EQ(words({.column = "country", .shape = Shape::other_levels, .levels = {"DE"}}),
            "country = BR: only 3 of 1,000 rows are not DE (50 % of the levels, 7.4 bits)");
  EXPECT_EQ(
      words({.column = "placed_at", .derivation = Derivation::hour_of_day, .shape = Shape::arc, .low = 3, .high = 5}),
      "placed_at 03:41: only 3 of 1,000 rows are between 03:00 and 05:00 (50 % of the day, 7.4 bits)");
  EXPECT_EQ(words({.column = "placed_at",
                   .derivation = Derivation::day_of_week,
                   .shape = Shape::levels,
                   .levels = {"Wednesday"}}),
            "placed_at Wednesday: only 3 of 1,000 rows (50 % of the week, 7.4 bits)");
}

TEST(reason, of_levels_needs_no_more_than_the_count) {
  const WrittenRow one;
  const Witness witness = counted({level("country", "BR"), level("currency", "SEK")}, 2, 10'000, 0.04);
  EXPECT_EQ(one.reason(witness), "country = BR and currency = SEK: only 2 of 10,000 rows (4 % of the space, 7.6 bits)");
  EXPECT_EQ(one.short_reason(witness), "country = BR and currency = SEK: 2 rows");
}

TEST(reason, of_several_columns_names_all_conditions) {
  const WrittenRow one;
  const Witness witness =
      counted({range("wind_speed", above(69)), level("country", "BR"), {.column = "age", .shape = Shape::missing}}, 5,
              4032, 0.16);
  EXPECT_EQ(one.reason(witness),
            "wind_speed = 1048.4 and country = BR and age is missing: only 5 of 4,032 rows have wind_speed > 69 and "
            "country = BR and no age (16 % of the space, 7.0 bits)");
  EXPECT_EQ(one.short_reason(witness), "wind_speed = 1048.4 (> 69) and country = BR and age is missing: 5 rows");
}

TEST(reason, says_only_where_an_even_spread_would_put_twice_as_many) {
  const WrittenRow one;
  EXPECT_EQ(one.reason(counted({range("rain", 2)}, 400, 1000, 0.5)),
            "rain = 12.5 mm: 400 of 1,000 rows are at or above 2 (50 % of the range, 0.3 bits)");
}

TEST(reason, of_a_new_level_a_value_beyond_all_rows_and_a_constant_that_changed) {
  const WrittenRow one;
  const auto empty = [&](const Condition& condition, std::string only = {}) {
    Witness witness = counted({condition}, 0, 2000, 1);
    witness.only_value = std::move(only);
    return witness;
  };
  const Witness level{empty({.column = "country", .shape = Shape::other_levels, .levels = {"DE", "FR"}})};
  EXPECT_EQ(one.reason(level), "country = BR: unseen in all 2,000 rows");
  EXPECT_EQ(one.short_reason(level), "country = BR: unseen");
  const Witness high = empty(range("wind_speed", above(98)));
  EXPECT_EQ(one.reason(high), "wind_speed = 1048.4: beyond all 2,000 rows, which end at 98");
  EXPECT_EQ(one.reason(empty(range("wind_speed", 98))),
            "wind_speed = 1048.4: beyond all 2,000 rows, which end below 98");
  EXPECT_EQ(one.short_reason(high), "wind_speed = 1048.4: beyond all rows");
  EXPECT_EQ(one.reason(empty(range("wind_speed", -endless, 2000))),
            "wind_speed = 1048.4: beyond all 2,000 rows, which begin at 2000");
  EXPECT_EQ(one.reason(empty(range("stars", 91))), "stars = 98: beyond all 2,000 rows, which end at 90");
  EXPECT_EQ(one.reason(empty(range("stars", 91), "90")), "stars = 98: was 90 in all 2,000 rows");
  EXPECT_EQ(one.short_reason(empty(range("stars", 91), "90")), "stars = 98: was 90");
}

TEST(reason, mentions_the_column_with_the_most_bits_if_the_witness_does_not) {
  WrittenRow one;
  one.columns = {{.column = 0, .bits = 1, .value = "1048.4"}, {.column = 1, .bits = 5.4, .value = "12.5"}};
  const Witness witness = counted({range("wind_speed", above(42.6))}, 1, 1000, 0.5);
  EXPECT_EQ(
      one.reason(witness),
      "wind_speed = 1048.4: only 1 of 1,000 rows is above 42.6 (50 % of the range, 9.0 bits); rain 12.5 (+5.4 bits)");
  one.columns[1].bits = 0.3;
  EXPECT_EQ(one.reason(witness),
            "wind_speed = 1048.4: only 1 of 1,000 rows is above 42.6 (50 % of the range, 9.0 bits)");
}

TEST(reason, without_conditions_is_the_columns) {
  WrittenRow one;
  one.columns = {{.column = 1, .bits = 4.2, .value = "12.5"}};
  EXPECT_EQ(one.reason({.n_inside = 10, .n_rows = 10}), "rain 12.5 (+4.2 bits)");
  EXPECT_EQ(one.short_reason({.n_inside = 10, .n_rows = 10}), "rain 12.5 (+4.2 bits)");
}

TEST(reason, tells_the_rise_of_a_column_that_the_witness_does_not_name) {
  const Schema schema{
      {{.name = "rise of errors within 3 min", .kind = Kind::continuous, .unit = "/s", .rise_of = "errors"}}};
  const auto words = [&](const std::string& value) {
    return to_words(std::vector<ColumnBits>{{.column = 0, .bits = 1.2, .value = value}}, schema, 4);
  };
  EXPECT_EQ(words("-41"), "errors fell by 41 /s within 3 min (+1.2 bits)");
  EXPECT_EQ(words("41"), "errors rose by 41 /s within 3 min (+1.2 bits)");
  EXPECT_EQ(words("missing"), "rise of errors within 3 min missing (+1.2 bits)");
  EXPECT_EQ(words(""), "rise of errors within 3 min (+1.2 bits)");
}

TEST(reason, has_the_condition_where_the_table_has_no_value) {
  const WrittenRow one;
  Schema schema = one.schema;
  schema.columns.push_back({.name = "rain 1 sample earlier"});
  const Witness witness = counted({range("rain 1 sample earlier", above(3))}, 1, 1000, 0.5);
  EXPECT_EQ(own_values(witness, one.owned.table(), 0, schema), std::vector<std::string>{"rain 1 sample earlier > 3"});
}

}  // namespace
}  // namespace pidforest
