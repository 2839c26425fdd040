// SPDX-License-Identifier: Apache-2.0
// The text of SQL clauses. tests/sql checks that databases count the same rows as the library.
#include <gtest/gtest.h>

#include <cmath>

#include "pidforest/explain.h"
#include "unit/schema/encoding.h"

namespace pidforest {
namespace {

using Shape = Condition::Shape;

std::string sql(const ColumnSchema& schema, const std::string& condition, SqlDialect dialect) {
  const std::string json = R"([{"column": "x", )" + condition + "}]";
  return to_sql(parse_conditions(json), Schema{{schema}}, dialect);
}
std::string standard(const ColumnSchema& schema, const std::string& condition) {
  return sql(schema, condition, SqlDialect::standard);
}
std::string sqlite(const ColumnSchema& schema, const std::string& condition) {
  return sql(schema, condition, SqlDialect::sqlite);
}

ColumnSchema in_zone(Derivation derivation, const std::string& zone) {
  ColumnSchema schema = schema::time_of({derivation}, Resolution::minute);
  schema.zone = zone;
  return schema;
}

TEST(condition_sql, ranges_of_numbers) {
  const ColumnSchema schema = column_of(Kind::continuous);
  EXPECT_EQ(standard(schema, R"("at_least": 9000, "below": 12000.5)"), R"("x" >= 9000 AND "x" < 12000.5)");
  EXPECT_EQ(standard(schema, R"("at_least": 9000)"), R"(NULLIF(CAST("x" AS DOUBLE PRECISION), 'NaN') >= 9000)");
  EXPECT_EQ(sqlite(schema, R"("below": -5)"),
            R"(CASE WHEN TRIM("x") IN ('', 'nan', 'NaN') THEN NULL ELSE CAST("x" AS REAL) END < -5)");
}

TEST(condition_sql, numbers_keep_every_digit) {
  const ColumnSchema schema = column_of(Kind::continuous);
  const auto below = [&](double high) {
    return to_sql(std::vector{Condition{.column = "x", .shape = Shape::range, .high = high}}, Schema{{schema}},
                  SqlDialect::standard);
  };
  EXPECT_EQ(below(0.1234567890123456), R"("x" < 0.1234567890123456e0)");
  EXPECT_EQ(below(1e300), R"("x" < 1e+300)");
  EXPECT_EQ(below(std::nextafter(5, 6)), R"("x" <= 5)");
}

TEST(condition_sql, levels_and_names_are_quoted) {
  ColumnSchema schema = with_levels(Kind::category, {"a", "it's", "ä"});
  EXPECT_EQ(standard(schema, R"("in": ["it's", "ä"])"), R"(NULLIF("x", '') IN ('it''s', 'ä'))");
  EXPECT_EQ(sqlite(schema, R"("not_in": ["it's"])"), R"(NULLIF("x", '') NOT IN ('it''s'))");
  EXPECT_EQ(sqlite(schema, R"("missing": true)"), R"(NULLIF("x", '') IS NULL)");
  schema.levels.emplace_back("");
  EXPECT_EQ(sqlite(schema, R"("missing": false)"), R"("x" IS NOT NULL)");
  schema.name = R"(the "x")";
  EXPECT_EQ(to_sql(std::vector{Condition{.column = schema.name, .shape = Shape::levels, .levels = {"a"}}},
                   Schema{{schema}}, SqlDialect::standard),
            R"("the ""x""" IN ('a'))");
}

TEST(condition_sql, a_branch_is_all_levels_below_it) {
  const ColumnSchema schema =
      schema::hierarchy({{"AR", "Americas"}, {"US", "Americas"}, {"DE", "Europe"}}, {"AR", "US", "DE"});
  EXPECT_EQ(standard(schema, R"("in": ["Americas"])"), R"(NULLIF("x", '') IN ('AR', 'US'))");
  EXPECT_EQ(standard(schema, R"("not_in": ["Americas"])"), R"(NULLIF("x", '') NOT IN ('AR', 'US'))");
}

TEST(condition_sql, booleans_are_words_or_numbers) {
  EXPECT_EQ(sqlite(column_of(Kind::boolean), R"("in": [true])"),
            R"(NULLIF(LOWER(TRIM(CAST("x" AS TEXT))), '') IN ('true', 't', 'yes', 'y', '1', '1.0'))");
}

TEST(condition_sql, arcs_of_numbers_are_taken_around_the_circle) {
  EXPECT_EQ(standard(schema::circle(360), R"("from": 350, "before": 20)"),
            R"((((NULLIF(CAST("x" AS DOUBLE PRECISION), 'NaN')) - 360 * )"
            R"(FLOOR((NULLIF(CAST("x" AS DOUBLE PRECISION), 'NaN')) / 360)) >= 350 OR )"
            R"(((NULLIF(CAST("x" AS DOUBLE PRECISION), 'NaN')) - 360 * )"
            R"(FLOOR((NULLIF(CAST("x" AS DOUBLE PRECISION), 'NaN')) / 360)) < 20))");
}

TEST(condition_sql, times_are_those_of_the_zone) {
  using enum Derivation;
  EXPECT_EQ(standard(in_zone(day_of_week, "Europe/Berlin"), R"("derivation": "day_of_week", "in": ["Sunday"])"),
            R"(EXTRACT(ISODOW FROM ((CASE WHEN CAST("x" AS TEXT) LIKE '%:%+%' OR CAST("x" AS TEXT) LIKE '%:%-%' OR )"
            R"(CAST("x" AS TEXT) LIKE '%:%Z' THEN CAST("x" AS TIMESTAMPTZ) ELSE CAST("x" AS TIMESTAMP) )"
            R"(AT TIME ZONE 'Europe/Berlin' END) AT TIME ZONE 'Europe/Berlin')) IN (7))");
  EXPECT_EQ(sqlite(in_zone(day_of_week, "UTC"), R"("derivation": "day_of_week", "in": ["Saturday", "Sunday"])"),
            R"(strftime('%w', "x") IN ('6', '0'))");
  EXPECT_EQ(sqlite(in_zone(month, "UTC"), R"("derivation": "month", "in": ["January"])"),
            R"(strftime('%m', "x") IN ('01'))");
  EXPECT_EQ(sqlite(in_zone(hour_of_day, "UTC"), R"("derivation": "hour_of_day", "from": "02:00", "before": "05:30")"),
            R"(strftime('%H:%M:%f', "x") BETWEEN '02:00' AND '05:29:59.999999')");
  EXPECT_EQ(
      sqlite(in_zone(hour_of_day, "+02:00"), R"("derivation": "hour_of_day", "from": "22:00", "before": "05:00")"),
      R"(strftime('%H:%M:%f', "x", CASE WHEN "x" GLOB '*:*[-+Zz]*' THEN '+120 minutes' ELSE '+0 minutes' END) )"
      R"(NOT BETWEEN '05:00' AND '21:59:59.999999')");
  EXPECT_EQ(sqlite(in_zone(day_of_year, "UTC"), R"("derivation": "day_of_year", "from": "12-24", "before": "01-01")"),
            R"(strftime('%m-%d', "x") BETWEEN '12-24' AND '12-31')");
  EXPECT_EQ(sqlite(in_zone(epoch, "UTC"), R"("derivation": "epoch", "at_least": "2026-11-16T09:30:00+01:00")"),
            R"((strftime('%Y-%m-%d %H:%M:%f', "x")) >= '2026-11-16 08:30')");
}

TEST(condition_sql, sqlite_reads_local_times_of_a_named_zone_and_refuses_the_rest) {
  using enum Derivation;
  const std::string hours = R"("derivation": "hour_of_day", "from": "02:00", "before": "05:00")";
  ColumnSchema schema = in_zone(hour_of_day, "Europe/Berlin");
  EXPECT_EQ(sqlite(schema, hours),
            R"(strftime('%H:%M:%f', CASE WHEN "x" GLOB '*:*[-+Zz]*' THEN abs(-9223372036854775808) ELSE "x" END) )"
            R"(BETWEEN '02:00' AND '04:59:59.999999')");
  EXPECT_THROW(sqlite(schema, R"("derivation": "epoch", "below": "2026-11-16T08:30:00Z")"), InvalidOption);
  EXPECT_NO_THROW(sqlite(schema, R"("missing": true)"));
  schema.epoch_unit = EpochUnit::seconds;
  EXPECT_THROW(sqlite(schema, hours), InvalidOption);
  schema = in_zone(hour_of_day, "UTC");
  schema.date_order = DateOrder::day_first;
  EXPECT_THROW(sqlite(schema, hours), InvalidOption);
}

TEST(condition_sql, conditions_are_joined_and_none_hold_for_all_rows) {
  const Schema schema{{column_of(Kind::continuous, "a"), column_of(Kind::continuous, "b")}};
  EXPECT_EQ(to_sql(parse_conditions(R"([{"column": "a", "below": 1}, {"column": "b", "below": 2}])"), schema,
                   SqlDialect::standard),
            R"("a" < 1 AND "b" < 2)");
  EXPECT_EQ(to_sql({}, schema, SqlDialect::sqlite), "1 = 1");
}

TEST(condition_sql, a_condition_that_does_not_fit_is_refused) {
  EXPECT_THROW(sqlite(column_of(Kind::continuous), R"("in": ["a"])"), InvalidInput);
}

}  // namespace
}  // namespace pidforest
