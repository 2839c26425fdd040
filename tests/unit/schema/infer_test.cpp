// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

#include "pidforest/error.h"
#include "pidforest/schema.h"
#include "schema/encode.h"
#include "schema/table_facts.h"
#include "unit/table/column_table.h"

namespace pidforest {
namespace {

using Levels = std::vector<std::string>;
constexpr std::int64_t hour = 3'600'000'000;
constexpr std::int64_t day = 24 * hour;

ColumnSchema inferred(const ColumnTable& owned) { return infer_schema(owned.table()).columns.front(); }

ColumnSchema inferred(const Texts& texts) {
  const ColumnTable owned = ColumnTable().texts("x", texts);
  return inferred(owned);
}

std::string complaint(const Texts& texts) {
  try {
    inferred(texts);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

Texts distinct_texts(std::size_t n) {
  Texts texts;
  for (std::size_t i = 0; i < n; ++i) texts.emplace_back("id " + std::to_string(i));
  return texts;
}

TEST(infer, numbers_are_continuous) {
  const ColumnSchema schema = inferred(ColumnTable().numbers("x", {1, 2, 2}));
  EXPECT_EQ(schema.name, "x");
  EXPECT_EQ(schema.kind, Kind::continuous);
  EXPECT_EQ(schema.note, "numbers");
}

TEST(infer, missing_values_are_counted_in_the_note) {
  EXPECT_EQ(inferred(ColumnTable().numbers("x", {1, nan, nan})).note, "numbers; 2 of 3 values are missing");
  EXPECT_EQ(inferred(Texts{"1", "", "nan", std::nullopt}).note, "numbers; 3 of 4 values are missing");
  EXPECT_EQ(inferred(Texts{"a", "b", "", std::nullopt}).note, "2 different texts; 2 of 4 values are missing");
}

TEST(infer, texts_that_are_all_numbers_are_continuous) {
  EXPECT_EQ(inferred(Texts{"1", "-2.5", "+3e2", ""}).kind, Kind::continuous);
  EXPECT_EQ(inferred(Texts{"0", "1"}).kind, Kind::continuous);
  EXPECT_EQ(inferred(Texts{"20261116", "20261117"}).kind, Kind::continuous);
}

TEST(infer, texts_are_read_with_the_decimal_separator_of_the_column) {
  const std::vector<std::string_view> texts = {"1,5", "2", "3,25"};
  Column column = Column::of_texts("x", texts.data());
  column.decimal = ',';
  EXPECT_EQ(infer_schema(Table(3, {column})).columns[0].kind, Kind::continuous);
  EXPECT_EQ(infer_schema(Table(3, {column})).columns[0].written, "");
  const std::vector<std::string_view> points = {"1.5", "2.5", "1.5"};
  column.texts = points.data();
  EXPECT_EQ(infer_schema(Table(3, {column})).columns[0].written, "1234.5");
}

TEST(infer, integers_that_a_double_cannot_hold_are_names) {
  EXPECT_EQ(inferred(Texts{"9007199254740993", "9007199254740995", "1"}).kind, Kind::category);
}

TEST(infer, booleans_and_words_for_true_and_false_are_boolean) {
  EXPECT_EQ(inferred(ColumnTable().booleans("x", {1, 0, nan})).kind, Kind::boolean);
  for (const Texts& texts : {Texts{"true", "FALSE"}, Texts{"yes", "No", ""}, Texts{"y", "n"}, Texts{"t", "F"}})
    EXPECT_EQ(inferred(texts).kind, Kind::boolean);
  EXPECT_EQ(inferred(Texts{"yes", "no", "maybe"}).kind, Kind::category);
  EXPECT_EQ(inferred(Texts{"f", "f"}).kind, Kind::category);
}

TEST(infer, other_texts_are_categories_with_sorted_levels) {
  const ColumnSchema schema = inferred(Texts{"red", "blue", "red", "Green"});
  EXPECT_EQ(schema.kind, Kind::category);
  EXPECT_EQ(schema.levels, (Levels{"Green", "blue", "red"}));
  EXPECT_FALSE(schema.numeric_levels);
  EXPECT_EQ(schema.note, "3 different texts");
}

TEST(infer, any_text_may_be_a_level) {
  const std::string long_name(1 << 20, 'x');
  const ColumnSchema schema = inferred(Texts{"a,b", "say \"hi\"", "two\nlines", "🐘", long_name});
  EXPECT_EQ(schema.levels, (Levels{"a,b", "say \"hi\"", "two\nlines", long_name, "🐘"}));
}

TEST(infer, one_level_is_a_category_that_says_nothing_yet) {
  const ColumnSchema schema = inferred(Texts{"only", "only"});
  EXPECT_EQ(schema.kind, Kind::category);
  EXPECT_EQ(schema.levels, Levels{"only"});
  EXPECT_EQ(schema.note, "one text only, which says nothing yet");
}

TEST(infer, twenty_texts_that_all_differ_are_identifiers) {
  EXPECT_EQ(inferred(distinct_texts(19)).kind, Kind::category);
  const ColumnSchema schema = inferred(distinct_texts(20));
  EXPECT_EQ(schema.kind, Kind::ignored);
  EXPECT_TRUE(schema.levels.empty());
  EXPECT_EQ(schema.note, "every one of 20 values is different: an identifier; declare it a category to use it");
  Texts repeated = distinct_texts(20);
  repeated.push_back(repeated.front());
  EXPECT_EQ(inferred(repeated).kind, Kind::category);
}

TEST(infer, a_column_without_values_is_ignored) {
  for (const Texts& texts : {Texts{std::nullopt, ""}, Texts{"nan", " "}}) {
    EXPECT_EQ(inferred(texts).kind, Kind::ignored);
    EXPECT_EQ(inferred(texts).note, "every value is missing");
  }
  EXPECT_EQ(inferred(ColumnTable().numbers("x", {nan})).kind, Kind::ignored);
  EXPECT_EQ(inferred(ColumnTable().times("x", {Column::missing_time})).kind, Kind::ignored);
  EXPECT_EQ(inferred(ColumnTable().numbers("x", {})).note, "no rows");
}

TEST(infer, mostly_numbers_with_some_texts_is_refused) {
  EXPECT_EQ(
      complaint({"1", "2", "", "oops", "3", "lost"}),
      "row 4, column 'x': must be a number, like 3 of 5 values; got 'oops'. Leave it empty if it is missing; otherwise "
      "declare the column with \"kind\": \"category\", or exclude the column.");
  EXPECT_EQ(
      complaint({"1", "2", "nan", "oops"}),
      "row 4, column 'x': must be a number, like 2 of 3 values; got 'oops'. Leave it empty if it is missing; otherwise "
      "declare the column with \"kind\": \"category\", or exclude the column.");
}

TEST(infer, numbers_with_texts_and_many_words_for_missing_are_said) {
  const ColumnSchema schema = inferred(Texts{"1", "2", "NA", "-", "oops"});
  EXPECT_EQ(schema.kind, Kind::category);
  EXPECT_EQ(schema.note, "5 different texts; 2 of 3 values are numbers, but row 5 has 'oops'");
}

TEST(infer, words_for_missing_are_missing_among_numbers_and_times) {
  const ColumnSchema numbers = inferred(Texts{"1", "2", "NA", "n/a", "?", "", "nan"});
  EXPECT_EQ(numbers.kind, Kind::continuous);
  EXPECT_EQ(numbers.note, "numbers; NA, N/A and ? as missing; 5 of 7 values are missing");
  const ColumnSchema times = inferred(Texts{"2026-11-16 08:30", "null", "2026-11-17 09:30"});
  EXPECT_EQ(times.kind, Kind::time);
  EXPECT_NE(times.note.find("; null as missing; 1 of 3 values are missing"), std::string::npos);
}

TEST(infer, words_for_missing_are_levels_among_texts) {
  EXPECT_EQ(inferred(Texts{"NA", "a", "NA"}).levels, (Levels{"NA", "a"}));
  EXPECT_EQ(inferred(Texts{"NA", "-"}).levels, (Levels{"-", "NA"}));
  EXPECT_EQ(inferred(Texts{"yes", "no", "NA"}).levels, (Levels{"NA", "no", "yes"}));
}

TEST(infer, numbers_as_people_write_them_are_continuous) {
  const ColumnSchema schema = inferred(Texts{"$1,200", "$15.50", "NA", "($3)"});
  EXPECT_EQ(schema.kind, Kind::continuous);
  EXPECT_EQ(schema.written, "($1,234.5)");
  EXPECT_EQ(schema.note, "written like ($1,234.5); NA as missing; 1 of 4 values are missing");
  EXPECT_EQ(inferred(Texts{"12MB", "3GB"}).written, "1234.5MB|GB");
  EXPECT_EQ(inferred(Texts{"12A", "3B"}).kind, Kind::category);
}

TEST(infer, texts_that_are_almost_numbers_name_the_first_that_is_not) {
  Texts texts;
  for (int i = 0; i < 30; ++i) texts.emplace_back("$" + std::to_string(i));
  texts.emplace_back("free");
  const ColumnSchema many = inferred(texts);
  EXPECT_EQ(many.kind, Kind::ignored);
  EXPECT_EQ(many.note,
            "30 of 31 values are numbers, but row 31 has 'free'; correct them, or declare it a category to use it");
  const ColumnSchema few = inferred(Texts{"$1", "$2", "free", "$1"});
  EXPECT_EQ(few.kind, Kind::category);
  EXPECT_EQ(few.note, "3 different texts; 3 of 4 values are numbers, but row 3 has 'free'");
  EXPECT_NE(inferred(Texts{"$1", "€2"}).note.find("written in more than one way"), std::string::npos);
}

TEST(infer, texts_that_nearly_all_differ_are_ignored) {
  Texts texts = distinct_texts(190);
  for (int i = 0; i < 10; ++i) texts.emplace_back("id 1");
  EXPECT_EQ(inferred(texts).note, "190 of 200 values differ: nearly an identifier; declare it a category to use it");
  for (int i = 0; i < 30; ++i) texts.emplace_back("id 1");
  EXPECT_EQ(inferred(texts).kind, Kind::category);
}

TEST(infer, times_that_lack_a_part_derive_only_what_they_say) {
  const ColumnSchema clock = inferred(Texts{"14:05", "09:30", "-"});
  EXPECT_EQ(clock.kind, Kind::time);
  EXPECT_EQ(clock.date_order, DateOrder::no_date);
  EXPECT_EQ(clock.derive, std::vector{Derivation::hour_of_day});
  const ColumnSchema log = inferred(Texts{"Nov 16 08:30:00", "Nov 17 09:30:01"});
  EXPECT_EQ(log.date_order, DateOrder::no_year);
  EXPECT_EQ(log.derive, std::vector{Derivation::hour_of_day});
  const ColumnSchema months = inferred(Texts{"2024-01", "2025-07", "2026-02"});
  EXPECT_EQ(months.date_order, DateOrder::no_day);
  EXPECT_EQ(months.derive, std::vector{Derivation::month});
  EXPECT_EQ(inferred(Texts{"2024-01", "2024-07"}).kind, Kind::ignored);
  EXPECT_EQ(inferred(Texts{"14:05", "2024-07-01 08:30"}).kind, Kind::category);
  EXPECT_EQ(inferred(Texts{"2024-07-01 08:30", "14:05"}).kind, Kind::category);
}

TEST(infer, mostly_texts_with_some_numbers_is_a_category) {
  EXPECT_EQ(inferred(Texts{"1", "a", "b"}).kind, Kind::category);
  EXPECT_EQ(inferred(Texts{"1", "a"}).levels, (Levels{"1", "a"}));
}

TEST(infer, times_become_hour_and_weekday) {
  const ColumnSchema schema = inferred(ColumnTable().times("x", {0, 5 * hour, 3 * day}));
  EXPECT_EQ(schema.kind, Kind::time);
  EXPECT_EQ(schema.derive, (std::vector{Derivation::hour_of_day, Derivation::day_of_week}));
  EXPECT_EQ(schema.zone, "UTC");
  EXPECT_EQ(schema.resolution, Resolution::hour);
  EXPECT_EQ(schema.note, "date and time; every value is a whole hour; no zone given, so UTC");
}

TEST(infer, texts_that_are_all_times_are_times) {
  const ColumnSchema schema = inferred(Texts{"2026-11-16T08:30:05+02:00", "2026-11-17T09:30:00+02:00", ""});
  EXPECT_EQ(schema.kind, Kind::time);
  EXPECT_EQ(schema.zone, "+02:00");
  EXPECT_EQ(schema.resolution, Resolution::second);
  EXPECT_EQ(schema.note, "date and time; every value is a whole second; in +02:00; 1 of 3 values are missing");
  EXPECT_EQ(inferred(Texts{"2026-11-16", "2026-11-17", "soon"}).kind, Kind::category);
}

TEST(infer, only_what_varies_is_derived) {
  EXPECT_EQ(inferred(Texts{"2026-11-16", "2026-11-17"}).derive, std::vector{Derivation::day_of_week});
  EXPECT_EQ(inferred(Texts{"2026-11-16T08:00", "2026-11-23T09:00"}).derive, std::vector{Derivation::hour_of_day});
  EXPECT_EQ(inferred(Texts{"2024-01-01", "2024-06-01", "2026-01-01"}).derive,
            (std::vector{Derivation::day_of_week, Derivation::month, Derivation::day_of_year}));
  const ColumnSchema constant = inferred(Texts{"2026-11-16", "2026-11-23"});
  EXPECT_EQ(constant.kind, Kind::ignored);
  EXPECT_EQ(constant.note, "dates and times of the same hour and weekday; declare kind time and derive to use them");
}

TEST(infer, the_order_of_day_and_month_is_found_where_a_value_tells) {
  EXPECT_EQ(inferred(Texts{"16/11/2026", "03/04/2026"}).date_order, DateOrder::day_first);
  EXPECT_EQ(inferred(Texts{"11/16/2026", "03/04/2026"}).date_order, DateOrder::month_first);
  EXPECT_EQ(inferred(Texts{"2026-11-16", "2026-11-17"}).date_order, DateOrder::year_first);
}

TEST(infer, dates_that_read_either_way_are_ignored_until_they_are_declared) {
  const ColumnSchema schema = inferred(Texts{"05/06/2026", "03/04/2026"});
  EXPECT_EQ(schema.kind, Kind::ignored);
  EXPECT_EQ(schema.note,
            "dates such as 03/04/2026 may begin with the day or the month; declare kind time and date_order, day_first "
            "or month_first");
}

TEST(infer, a_million_levels_are_no_trouble) {
  Texts texts = distinct_texts(1'000'000);
  texts.resize(1'200'000, texts.front());
  EXPECT_EQ(inferred(texts).levels.size(), 1'000'000U);
}

// Properties.

Texts random_texts() {
  const std::string pool = *rc::gen::element<std::string>("numbers", "words", "dates", "slashes", "booleans", "mixed");
  const auto text = rc::gen::exec([pool]() -> std::optional<std::string> {
    const int i = *rc::gen::inRange(0, 30);
    if (i == 0) return std::nullopt;
    if (i == 1) return "";
    if (pool == "numbers") return std::to_string(i * 0.5);
    if (pool == "dates") return "2026-11-" + std::to_string(i) + (i % 3 == 0 ? "T08:00" : "");
    if (pool == "slashes") return std::to_string(i / 2 + 1) + "/5/2026";
    if (pool == "booleans") return i % 2 == 0 ? "yes" : "no";
    if (pool == "mixed" && i > 20) return std::to_string(i);
    return "level " + std::to_string(i);
  });
  return *rc::gen::container<Texts>(text);
}

struct RandomTable {
  Texts texts = random_texts();
  Numbers numbers = *rc::gen::container<Numbers>(texts.size(), rc::gen::element(nan, 0.0, 1.0, 2.5));
  Times times = *rc::gen::container<Times>(texts.size(), rc::gen::map(rc::gen::inRange(0, 900), [](int i) {
                                             return i == 0 ? Column::missing_time
                                                           : static_cast<std::int64_t>(i) * day + i % 5 * hour;
                                           }));

  [[nodiscard]] ColumnTable table(const std::vector<std::size_t>& order) const {
    const auto in_order = [&](const auto& values) {
      auto sorted = values;
      for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = values[order[i]];
      return sorted;
    };
    ColumnTable owned;
    owned.texts("text", in_order(texts)).numbers("number", in_order(numbers)).times("time", in_order(times));
    return owned;
  }
  [[nodiscard]] std::vector<std::size_t> rows() const {
    std::vector<std::size_t> rows(texts.size());
    std::iota(rows.begin(), rows.end(), 0);
    return rows;
  }
};

/// Returns nullopt if the table is rejected.
std::optional<Schema> schema_of(const ColumnTable& owned) {
  try {
    return infer_schema(owned.table());
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

RC_GTEST_PROP(infer, the_order_of_the_rows_does_not_matter, ()) {
  const RandomTable random;
  std::vector<std::size_t> order = random.rows();
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  RC_ASSERT(schema_of(random.table(random.rows())) == schema_of(random.table(order)));
}

RC_GTEST_PROP(infer, what_is_inferred_is_valid_complete_and_encodes_its_own_table, ()) {
  const RandomTable random;
  const ColumnTable owned = random.table(random.rows());
  const std::optional<Schema> schema = schema_of(owned);
  RC_PRE(schema.has_value());
  RC_ASSERT(schema::complete_schema(*schema, owned.table()) == *schema);
  const schema::Encoder encoder(*schema);
  const Table table = owned.table();
  const std::vector<const Column*> columns = encoder.match(table);
  Numbers values(table.n_rows());
  for (std::size_t a = 0; a < encoder.axes().size(); ++a) {
    const schema::AxisInfo& axis = encoder.axes()[a];
    encoder.encode(a, *columns[axis.column], 0, values);
    if (axis.n_cells == 0) continue;
    RC_ASSERT(std::ranges::none_of(values, [&](double v) { return v < 0 || v >= static_cast<double>(axis.n_cells); }));
  }
}

}  // namespace
}  // namespace pidforest
