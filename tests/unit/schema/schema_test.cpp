// SPDX-License-Identifier: Apache-2.0
#include "pidforest/schema.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "pidforest/error.h"
#include "unit/schema/random_schema.h"

namespace pidforest {
namespace {

using std::string_literals::operator""s;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string complaint_of(const auto& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no complaint";
}

/// The message with which a document is rejected.
std::string complaint(std::string_view json) {
  return complaint_of([&] { parse_schema(json); });
}

std::string complaint(const ColumnSchema& column) {
  return complaint_of([&] { validate({{column}}); });
}

/// A document with one column named x and the given other members.
std::string document(const std::string& members) { return R"({"columns": [{"name": "x", )" + members + "}]}"; }

ColumnSchema column_of(const std::string& members) { return parse_schema(document(members)).columns[0]; }

/// The message about the only column, without the prefix "schema: columns[0] ('x')".
std::string column_complaint(const std::string& members) {
  const std::string said = complaint(document(members));
  const std::string place = "schema: columns[0] ('x')";
  return said.starts_with(place) ? said.substr(place.size()) : said;
}

TEST(schema, every_key_of_every_kind_is_read) {
  const ColumnSchema amount =
      column_of(R"("kind": "continuous", "range": [-1, 2.5], "unit": "EUR", "missing_share": 0.25, "note": "why")");
  EXPECT_EQ(amount, (ColumnSchema{.name = "x",
                                  .kind = Kind::continuous,
                                  .range = {{-1, 2.5}},
                                  .unit = "EUR",
                                  .missing_share = 0.25,
                                  .note = "why"}));
  EXPECT_EQ(column_of(R"("kind": "ordinal", "levels": ["low", "high"])"),
            (ColumnSchema{.name = "x", .kind = Kind::ordinal, .levels = {"low", "high"}}));
  EXPECT_EQ(column_of(R"("kind": "ordinal", "range": [1, 5])"),
            (ColumnSchema{.name = "x", .kind = Kind::ordinal, .range = {{1, 5}}}));
  EXPECT_EQ(column_of(R"("kind": "cyclic", "period": 24, "step": 0.1, "unit": "h")"),
            (ColumnSchema{.name = "x", .kind = Kind::cyclic, .period = 24, .step = 0.1, .unit = "h"}));
  EXPECT_EQ(
      column_of(R"("kind": "category", "levels": ["DE"], "parents": {"DE": "Europe", "Europe": "World"})"),
      (ColumnSchema{
          .name = "x", .kind = Kind::category, .levels = {"DE"}, .parents = {{"DE", "Europe"}, {"Europe", "World"}}}));
  EXPECT_EQ(column_of(R"("kind": "boolean")"), (ColumnSchema{.name = "x", .kind = Kind::boolean}));
  EXPECT_EQ(column_of(R"("kind": "time", "derive": ["epoch", "month"], "zone": "UTC", "resolution": "minute",
                         "unit": "ms", "date_order": "day_first")"),
            (ColumnSchema{.name = "x",
                          .kind = Kind::time,
                          .derive = {Derivation::epoch, Derivation::month},
                          .zone = "UTC",
                          .resolution = Resolution::minute,
                          .epoch_unit = EpochUnit::milliseconds,
                          .date_order = DateOrder::day_first}));
  EXPECT_EQ(column_of(R"("kind": "ignored", "note": "an id")"),
            (ColumnSchema{.name = "x", .kind = Kind::ignored, .note = "an id"}));
}

TEST(schema, the_format_of_texts_is_kept_beside_the_columns) {
  const std::string json = R"({
  "columns": [
    {
      "name": "x",
      "kind": "continuous",
      "written": "$1,234.5"
    }
  ],
  "format": {"delimiter": "|", "decimal": ",", "missing": ["unknown", "-1"]}
}
)";
  const Schema schema = parse_schema(json);
  EXPECT_EQ(schema.columns[0].written, "$1,234.5");
  EXPECT_EQ(schema.format, (WrittenFormat{.delimiter = '|', .decimal = ',', .missing = {"unknown", "-1"}}));
  EXPECT_EQ(to_json(schema), json);
}

TEST(schema, a_wrong_format_is_refused_with_its_key) {
  const auto of_format = [](const std::string& format) {
    return complaint(R"({"columns": [{"name": "x", "kind": "boolean"}], "format": )" + format + "}");
  };
  EXPECT_EQ(of_format("7"), "schema: format: must be an object; got 7.");
  EXPECT_EQ(of_format(R"({"delimiter": "||"})"), "schema: format.delimiter: must be one character; got '||'.");
  EXPECT_EQ(of_format(R"({"delimiter": "é"})"), "schema: format.delimiter: must be one character; got 'é'.");
  EXPECT_EQ(of_format(R"({"decimal": "x"})"), "schema: format.decimal: must be a point or a comma; got 'x'.");
  EXPECT_EQ(of_format(R"({"missing": []})"),
            "schema: format.missing: must be a non-empty array of texts; got an array.");
  EXPECT_EQ(of_format(R"({"missing": [""]})"), "schema: format.missing: must be non-empty texts in UTF-8; got ''.");
  EXPECT_EQ(of_format(R"({"header": "no"})"), "schema: format.header: must be true or false; got 'no'.");
  EXPECT_EQ(of_format(R"({"quote": "x"})"),
            "schema: format: its keys may be delimiter, decimal, missing, header; got 'quote'.");
}

TEST(schema, a_form_of_numbers_must_be_an_example) {
  EXPECT_EQ(column_complaint(R"("kind": "continuous", "written": "$1,234")"),
            ".written: must be 1234.5 as the column would write it, such as $1,234.5; got '$1,234'.");
  EXPECT_NE(column_complaint(R"("kind": "category", "written": "$1,234.5")"), "");
}

TEST(schema, keys_may_come_in_any_order) {
  EXPECT_EQ(parse_schema(R"({"columns": [{"unit": "s", "kind": "time", "name": "t"}]})").columns[0].epoch_unit,
            EpochUnit::seconds);
}

TEST(schema, numeric_levels_have_the_shortest_text_of_their_number) {
  const ColumnSchema column = column_of(R"("kind": "ordinal", "levels": [1.0, 0.5, -0.0, 1e2, 100000, 1e300])");
  EXPECT_TRUE(column.numeric_levels);
  EXPECT_EQ(column.levels, (Names{"1", "0.5", "0", "100", "100000", "1e+300"}));
  EXPECT_EQ(column_complaint(R"("kind": "ordinal", "levels": [1, 1.0])"),
            ".levels[1]: levels must differ; got '1' twice.");
}

TEST(schema, levels_may_be_any_text) {
  const std::string longest(1 << 20, 'x');
  const ColumnSchema column =
      column_of(R"("kind": "category", "levels": ["", "a,\"b\"\n", "🐘", "\u0000", ")" + longest + "\"]");
  EXPECT_EQ(column.levels, (Names{"", "a,\"b\"\n", "🐘", "\0"s, longest}));
}

TEST(schema, is_printed_in_a_fixed_order_without_defaults) {
  const Schema schema = parse_schema(R"({"columns": [
      {"note": "naïve", "range": [0, 1e3], "kind": "continuous", "name": "amount", "unit": ""},
      {"parents": {"DE": "Europe", "FR": "Europe"}, "levels": ["DE", "FR"], "kind": "category", "name": "country"},
      {"date_order": "year_first", "derive": ["hour_of_day", "epoch"], "kind": "time", "name": "opened", "unit": "s"}]})");
  EXPECT_EQ(to_json(schema), R"({
  "columns": [
    {
      "name": "amount",
      "kind": "continuous",
      "range": [0, 1000],
      "note": "naïve"
    },
    {
      "name": "country",
      "kind": "category",
      "levels": ["DE", "FR"],
      "parents": {
        "DE": "Europe",
        "FR": "Europe"
      }
    },
    {
      "name": "opened",
      "kind": "time",
      "unit": "s",
      "derive": ["hour_of_day", "epoch"]
    }
  ]
}
)");
}

TEST(schema, arrays_are_printed_on_one_line_up_to_a_hundred_characters) {
  const auto printed = [](std::size_t n) {
    std::string umlauts;
    for (std::size_t i = 0; i < n; ++i) umlauts += "ä";
    return to_json({{{.name = "x", .kind = Kind::category, .levels = {"a", umlauts}}}});
  };
  EXPECT_NE(printed(74).find("      \"levels\": [\"a\", \"ää"), std::string::npos);
  EXPECT_NE(printed(75).find("      \"levels\": [\n        \"a\",\n        \"ää"), std::string::npos);
  EXPECT_NE(printed(75).find("ä\"\n      ]\n    }"), std::string::npos);
}

TEST(schema, equal_schemas_print_equal_bytes) {
  ColumnSchema column{.name = "x", .kind = Kind::continuous, .range = {{0.0, 1.0}}};
  const std::string printed = to_json({{column}});
  column.range->first = -0.0;
  EXPECT_EQ(to_json({{column}}), printed);
}

TEST(schema, that_is_invalid_is_not_printed) { EXPECT_THROW(to_json({}), InvalidInput); }

TEST(schema, what_is_no_json_is_refused_with_line_and_column) {
  EXPECT_EQ(complaint(""), "schema: line 1, column 1: expected '[', '{', or a literal; got end of input.");
  EXPECT_EQ(complaint("{\n  \"columns\": [\n    {\"näme\" \"x\"}\n"),
            "schema: line 3, column 13: expected ':'; got \"x\".");
  EXPECT_EQ(complaint("{\"columns\": [1,]}"), "schema: line 1, column 16: expected '[', '{', or a literal; got ']'.");
  EXPECT_EQ(complaint("{\"columns\": [12 13]}"), "schema: line 1, column 17: expected ']'; got 13.");
  EXPECT_EQ(complaint("{\"columns\": []} {"), "schema: line 1, column 17: expected end of input; got '{'.");
  EXPECT_EQ(complaint("{\"columns\": [\n"),
            "schema: line 2, column 1: expected '[', '{', or a literal; got end of input.");
  EXPECT_EQ(complaint("{\"columns\": [\n\"a\nb\"").substr(0, 67),
            "schema: line 2, column 3: invalid string: control character U+000A ");
  EXPECT_EQ(complaint("{\"columns\": [NaN]}"), "schema: line 1, column 14: invalid literal; got '\"columns\": [N'.");
  EXPECT_EQ(complaint("\xEF\xBB\xBF[1;]"), "schema: line 1, column 3: invalid literal; got '1;'.");
}

TEST(schema, odd_bytes_are_refused) {
  EXPECT_EQ(complaint(document(R"("kind": "boolean")") + "\0 garbage"s),
            "schema: line 1, column 48: expected text without NUL bytes; got one.");
  EXPECT_EQ(complaint("{\"columns\xFF\": []}"),
            "schema: line 1, column 10: invalid string: ill-formed UTF-8 byte; got '\"columns\\xff'.");
  EXPECT_NE(complaint("{\"\\ud800\": []}"), "no complaint");
  EXPECT_NE(complaint("\xEF\xBB\xBF\xEF\xBB\xBF" + document(R"("kind": "boolean")")), "no complaint");
  EXPECT_NE(complaint("{\"columns\": [Infinity]}"), "no complaint");
  EXPECT_NE(complaint("{\"columns\": [1.]} // x"), "no complaint");
}

TEST(schema, a_byte_order_mark_is_skipped) {
  EXPECT_EQ(parse_schema("\xEF\xBB\xBF" + document(R"("kind": "boolean")")).columns.size(), 1U);
}

TEST(schema, messages_are_one_line_and_short_whatever_the_document) {
  const std::string longest(1 << 20, '\x01');
  for (const std::string& text :
       {"\"" + std::string(1 << 20, 'x'), longest, "{\"" + std::string(1 << 20, 'x') + "\": 1}",
        document(R"("kind": ")" + std::string(1 << 20, 'k') + "\"")}) {
    const std::string said = complaint(text);
    EXPECT_LT(said.size(), 400U);
    EXPECT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST(schema, numbers_that_a_double_cannot_hold_are_refused) {
  EXPECT_EQ(complaint(document(R"("kind": "continuous", "range": [0, 1e999])")),
            "schema: line 1, column 63: a number must be at most 1.8e308 in magnitude; got 1e999.");
  EXPECT_EQ(
      complaint(document(R"("kind": "continuous", "range": [1e-999, 1])")),
      "schema: columns[0].range[0]: must be in the range of a double, 5e-324 to 1.8e308 in magnitude; got 1e-999.");
  EXPECT_EQ(column_of(R"("kind": "continuous", "range": [0e-999, 1])").range->first, 0);
  for (const std::string digits :
       {"9007199254740993", "-9007199254740993", "18446744073709551615", "100000000000000000000000"})
    EXPECT_EQ(complaint(document(R"("kind": "ordinal", "levels": [)" + digits + "]")),
              "schema: columns[0].levels[0]: must be an integer that a double represents exactly, such as all up to "
              "9007199254740992; got " +
                  digits + ".");
  EXPECT_EQ(column_of(R"("kind": "ordinal", "levels": [18446744073709551616])").levels,
            Names{"1.8446744073709552e+19"});
}

TEST(schema, a_key_twice_is_refused_with_its_path) {
  EXPECT_EQ(complaint(R"({"columns": [], "columns": []})"), "schema: a key must occur once; got 'columns' twice.");
  EXPECT_EQ(complaint(R"({"columns": [{}, {"name": "x", "name": "x"}]})"),
            "schema: columns[1]: a key must occur once; got 'name' twice.");
  EXPECT_EQ(complaint(document(R"("parents": {"a": "b", "a": "c"})")),
            "schema: columns[0].parents: a key must occur once; got 'a' twice.");
}

TEST(schema, deep_nesting_is_refused_without_recursion) {
  EXPECT_EQ(complaint(std::string(100'000, '[')),
            "schema: [0][0][0][0][0]: arrays and objects may be nested at most 5 deep; got more.");
  EXPECT_EQ(complaint(document(R"("levels": [[[1]]])")),
            "schema: columns[0].levels[0][0]: arrays and objects may be nested at most 5 deep; got more.");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(complaint(objects), "schema: a.a.a.a.a: arrays and objects may be nested at most 5 deep; got more.");
}

TEST(schema, the_document_has_columns_and_nothing_else) {
  EXPECT_EQ(complaint("[]"), "schema: must be an object with the key 'columns'; got an array.");
  EXPECT_EQ(complaint("{}"), "schema: must have the key 'columns'; got none.");
  EXPECT_EQ(complaint(R"({"columns": [], "version": 1})"),
            "schema: its keys must be 'columns' and possibly 'format' and 'windows'; got 'version'.");
  EXPECT_EQ(complaint(R"({"columns": {}})"), "schema: columns: must be an array of objects; got an object.");
  EXPECT_EQ(complaint(R"({"columns": []})"), "schema: columns: must contain at least one column; got none.");
  EXPECT_EQ(complaint(R"({"columns": ["x"]})"),
            "schema: columns[0]: must be an object that describes a column; got 'x'.");
}

TEST(schema, every_column_has_a_name_of_its_own_and_a_kind) {
  EXPECT_EQ(complaint(R"({"columns": [{"kind": "time"}]})"),
            "schema: columns[0].name: must be a non-empty string; got none.");
  EXPECT_EQ(complaint(R"({"columns": [{"name": "", "kind": "time"}]})"),
            "schema: columns[0].name: must be a non-empty string; got ''.");
  EXPECT_EQ(complaint(R"({"columns": [{"name": 5, "kind": "time"}]})"),
            "schema: columns[0].name: must be a non-empty string; got 5.");
  EXPECT_EQ(complaint(R"({"columns": [{"name": "x", "kind": "time"}, {"name": "x", "kind": "time"}]})"),
            "schema: columns[1] ('x').name: column names must differ; columns[0] has it too.");
  EXPECT_EQ(column_complaint(R"("note": "")"),
            ".kind: must be one of continuous, ordinal, cyclic, category, boolean, time, ignored; got none.");
  EXPECT_EQ(column_complaint(R"("kind": "Time")"),
            ".kind: must be one of continuous, ordinal, cyclic, category, boolean, time, ignored; got 'Time'.");
}

std::string windows_complaint(std::string_view members) {
  return complaint(R"({"columns": [{"name": "x", "kind": "continuous"}], "windows": {)" + std::string(members) + "}}");
}

TEST(schema, the_recipe_of_windows_is_read_back_and_checked) {
  const WindowRecipe recipe{.window = 4,
                            .views = {"residual", "changes"},
                            .means = {8},
                            .calendar = true,
                            .by = "host",
                            .max_gap = 900'000'000,
                            .time = {.name = "t", .kind = Kind::time, .zone = "Europe/Berlin"},
                            .step = 60'000'000,
                            .metrics = {{.name = "x", .unit = "ms"}, {.name = "y"}},
                            .usual = {std::vector<double>(48, 0.1), {}}};
  const Schema schema{.columns = {{.name = "x", .views = {"lags", "changes"}}, {.name = "r", .rise_of = "x"}},
                      .windows = recipe};
  EXPECT_EQ(parse_schema(to_json(schema)), schema);
  const std::string metrics = R"("metrics": [{"name": "x", "kind": "continuous"}])";
  EXPECT_EQ(windows_complaint(metrics), "schema: windows.window: must be between 1 and 1000000; got 0.");
  EXPECT_EQ(windows_complaint(R"("window": 4)"), "schema: windows.metrics: must have at least one column; got none.");
  EXPECT_EQ(windows_complaint(R"("window": 1.5)"),
            "schema: windows.window: must be a whole number of at least 0; got 1.5.");
  EXPECT_EQ(windows_complaint(R"("window": 4, "usual": [[1]], )" + metrics),
            "schema: windows.usual: must have 48 or 336 numbers for a metric, or none; got 1.");
  EXPECT_EQ(windows_complaint(R"("window": 4, "usual": [], "span": 1, )" + metrics),
            "schema: windows: its keys may be window, views, means, calendar, by, max_gap, time, step, metrics, usual; "
            "got 'span'.");
  EXPECT_EQ(
      windows_complaint(R"("window": 4, "metrics": [{"name": "x", "kind": "level"}])"),
      "schema: windows.metrics[0] ('x').kind: must be one of continuous, ordinal, cyclic, category, boolean, time, "
      "ignored; got 'level'.");
}

TEST(schema, an_unknown_key_is_refused_with_those_that_the_kind_has) {
  EXPECT_EQ(column_complaint(R"("kind": "boolean", "perod": 1)"),
            ".perod: the keys of a column of kind boolean may be name, kind, missing_share, views, note; got 'perod'.");
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "range": [0, 1], "period": 1)"),
            ".range: the keys of a column of kind cyclic may be name, kind, levels, period, step, unit, missing_share, "
            "views, note; got 'range'.");
  EXPECT_EQ(column_complaint(R"("kind": "ignored", "missing_share": 0.5)"),
            ".missing_share: the keys of a column of kind ignored may be name, kind, note; got 'missing_share'.");
}

TEST(schema, a_value_of_the_wrong_type_is_refused) {
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "period": "24")"), ".period: must be a number above 0; got '24'.");
  EXPECT_EQ(column_complaint(R"("kind": "continuous", "unit": null)"), ".unit: must be a string; got null.");
  EXPECT_EQ(column_complaint(R"("kind": "continuous", "note": true)"), ".note: must be a string; got true.");
  EXPECT_EQ(column_complaint(R"("kind": "continuous", "range": [1])"),
            ".range: must be [low, high], two numbers; got an array of 1.");
  EXPECT_EQ(column_complaint(R"("kind": "continuous", "range": [1, "2"])"), ".range[1]: must be a number; got '2'.");
  EXPECT_EQ(column_complaint(R"("kind": "category", "levels": {"a": 1})"),
            ".levels: must be a non-empty array of levels; got an object.");
  EXPECT_EQ(column_complaint(R"("kind": "category", "levels": ["a", 1])"),
            ".levels[1]: levels must be all strings or all numbers; got 1.");
  EXPECT_EQ(column_complaint(R"("kind": "category", "levels": [true])"),
            ".levels[0]: levels must be all strings or all numbers; got true.");
  EXPECT_EQ(column_complaint(R"("kind": "category", "parents": {"a": 1})"),
            ".parents: the parent of 'a' must be a string; got 1.");
  EXPECT_EQ(column_complaint(R"("kind": "time", "zone": "")"), ".zone: must be a non-empty string; got ''.");
  EXPECT_EQ(column_complaint(R"("kind": "time", "unit": "h")"), ".unit: must be one of s, ms, us; got 'h'.");
  EXPECT_EQ(column_complaint(R"("kind": "time", "resolution": 1)"),
            ".resolution: must be one of hour, minute, second, microsecond; got 1.");
  EXPECT_EQ(column_complaint(R"("kind": "time", "date_order": "mdy")"),
            ".date_order: must be one of year_first, day_first, month_first, no_date, no_year, no_day; got 'mdy'.");
  EXPECT_EQ(column_complaint(R"("kind": "time", "derive": ["month", "year"])"),
            ".derive[1]: must be one of hour_of_day, day_of_week, month, day_of_year, epoch; got 'year'.");
}

TEST(schema, empty_arrays_are_refused) {
  EXPECT_EQ(column_complaint(R"("kind": "ordinal", "levels": [])"),
            ".levels: must be a non-empty array of levels; got none. Omit it to have them inferred.");
  EXPECT_NE(column_complaint(R"("kind": "time", "derive": [])"), "no complaint");
  EXPECT_NE(column_complaint(R"("kind": "category", "parents": {})"), "no complaint");
}

TEST(schema, numbers_out_of_their_bounds_are_refused) {
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "period": 0)"), ".period: must be a number above 0; got 0.");
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "period": 24, "step": -1)"),
            ".step: must be a number above 0; got -1.");
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "period": 24, "step": 5)"),
            ".step: the period must be a whole number of steps, 2 or more; 24 is 4.8 steps of 5.");
  EXPECT_NE(column_complaint(R"("kind": "cyclic", "period": 24, "step": 24)"), "no complaint");
  EXPECT_NE(column_complaint(R"("kind": "cyclic", "period": 1e300, "step": 1e-300)"), "no complaint");
  EXPECT_EQ(column_complaint(R"("kind": "continuous", "range": [1, 1])"),
            ".range: must be [low, high], two finite numbers with low < high; got [1, 1].");
  EXPECT_EQ(column_complaint(R"("kind": "continuous", "range": [-1e308, 1e308])"),
            ".range: high - low must be at most 1.8e308; got [-1e+308, 1e+308].");
  EXPECT_EQ(column_complaint(R"("kind": "ordinal", "range": [0.5, 2])"),
            ".range: must be two whole numbers of at most 9007199254740992 in magnitude; got [0.5, 2].");
  for (const char* share : {"0", "1", "-0.5"})
    EXPECT_EQ(column_complaint(R"("kind": "boolean", "missing_share": )"s + share),
              ".missing_share: must be a number above 0 and below 1; got "s + share + ".");
}

TEST(schema, keys_that_exclude_each_other_are_refused) {
  EXPECT_EQ(column_complaint(R"("kind": "cyclic")"), ": a cyclic column must have a period or levels; got neither.");
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "levels": ["a"])"),
            ".levels: a circle must have 2 levels or more; got 1.");
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "levels": ["a", "b"], "period": 2)"),
            ".period: a cyclic column may have levels or a period; got both.");
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "levels": ["a", "b"], "step": 1)"),
            ".step: must come with a period; got levels.");
  EXPECT_EQ(column_complaint(R"("kind": "cyclic", "levels": ["a", "b"], "unit": "h")"),
            ".unit: must come with a period; got levels.");
  EXPECT_EQ(column_complaint(R"("kind": "ordinal", "levels": ["a"], "range": [1, 2])"),
            ".range: an ordinal column may have levels or a range; got both.");
  EXPECT_EQ(column_complaint(R"("kind": "time", "derive": ["month", "month"])"),
            ".derive[1]: derivations must differ; got 'month' twice.");
}

TEST(schema, a_struct_is_checked_as_a_document_is) {
  EXPECT_EQ(
      complaint({.name = "x", .kind = Kind::boolean, .period = 1}),
      "schema: columns[0] ('x').period: the keys of a column of kind boolean may be name, kind, missing_share, views, "
      "note; got 'period'.");
  EXPECT_EQ(complaint({.name = "x", .kind = Kind::category, .numeric_levels = true}),
            "schema: columns[0] ('x').levels: must be given if they are numeric.");
  EXPECT_EQ(complaint({.name = "x", .kind = Kind::category, .levels = {"1.0"}, .numeric_levels = true}),
            "schema: columns[0] ('x').levels[0]: must be the shortest form of its number, 1; got '1.0'.");
  EXPECT_EQ(complaint({.name = "x", .kind = Kind::category, .levels = {"inf"}, .numeric_levels = true}),
            "schema: columns[0] ('x').levels[0]: must be a finite number, as the levels are numeric; got 'inf'.");
  EXPECT_EQ(complaint({.name = "x\xFF"}), "schema: columns[0] ('x\\xff').name: must be UTF-8; got 'x\\xff'.");
  EXPECT_EQ(complaint({.name = "x", .kind = Kind::time, .unit = "h"}),
            "schema: columns[0] ('x').unit: must be an epoch unit for a time column; got 'h'.");
  EXPECT_EQ(complaint({.name = "x", .epoch_unit = EpochUnit::seconds}),
            "schema: columns[0] ('x').unit: an epoch unit must belong to a column of kind time; got continuous.");
  EXPECT_EQ(complaint({.name = "x", .kind = Kind::category, .parents = {{"a", "b"}, {"a", "c"}}}),
            "schema: columns[0] ('x').parents: a level or branch must have one parent; 'a' has 'b' and 'c'.");
  for (const double bad : {-1.0, infinity, std::nan("")}) {
    EXPECT_NE(complaint({.name = "x", .kind = Kind::cyclic, .period = bad}), "no complaint") << bad;
    EXPECT_NE(complaint({.name = "x", .kind = Kind::cyclic, .period = 1, .step = bad}), "no complaint") << bad;
    EXPECT_NE(complaint({.name = "x", .range = {{5, bad}}}), "no complaint") << bad;
    EXPECT_NE(complaint({.name = "x", .missing_share = bad}), "no complaint") << bad;
  }
}

TEST(schema, parents_that_are_no_hierarchy_are_refused) {
  const auto said = [](const std::string& members) { return column_complaint(R"("kind": "category", )" + members); };
  EXPECT_EQ(said(R"("parents": {"a": "a"})"), ".parents: a level or branch must not be its own parent; got 'a'.");
  EXPECT_EQ(said(R"("parents": {"x": "a", "a": "b", "b": "c", "c": "a"})"),
            ".parents: must not form a cycle; got 'a' -> 'b' -> 'c' -> 'a'.");
  EXPECT_EQ(said(R"("levels": ["a", "b"], "parents": {"a": "b", "b": "c"})"),
            ".parents: only the lowest levels may be listed; 'b' is a level and the parent of another.");
  EXPECT_EQ(said(R"("levels": ["a", "b"], "parents": {"a": "c"})"),
            ".parents: every level must have a parent; 'b' has none. Add it, or remove it from the levels.");
  EXPECT_EQ(said(R"("levels": ["a"], "parents": {"a": "c", "b": "c"})"),
            ".parents: a name without children must be one of the levels; got 'b'. Add it to the levels.");
  EXPECT_EQ(said(R"("levels": ["a", "b"], "parents": {"a": "c", "b": "d"})"), "no complaint");
  EXPECT_EQ(said(R"("levels": [1, 2.50], "parents": {"1": "c", "2.5": "c"})"), "no complaint");
}

TEST(schema, a_level_at_the_top_has_no_parent) {
  EXPECT_NE(column_complaint(R"("kind": "category", "levels": ["a", "c"], "parents": {"a": "c"})"), "no complaint");
}

TEST(schema, many_levels_and_deep_hierarchies_are_read) {
  constexpr std::size_t n_levels = 200'000;
  ColumnSchema column{.name = "x", .kind = Kind::category};
  for (std::size_t i = 0; i < n_levels; ++i) {
    column.levels.push_back(numbered("level ", i));
    column.parents.emplace_back(column.levels.back(), numbered("branch ", i / 10));
  }
  for (std::size_t i = 0; i < 100'000; ++i)
    column.parents.emplace_back(numbered("branch ", i), numbered("branch ", i + 1));
  const Schema schema{{column}};
  EXPECT_EQ(parse_schema(to_json(schema)), schema);
  column.parents.emplace_back("branch 100000", "branch 0");
  EXPECT_EQ(complaint(column),
            "schema: columns[0] ('x').parents: must not form a cycle; got 'branch 0' -> 'branch 1' -> "
            "'branch 2' -> 'branch 3' -> 'branch 4' -> 'branch 5' -> ... -> 'branch 0'.");
}

RC_GTEST_PROP(schema, is_read_back_as_it_was_printed, ()) {
  const Schema schema = any_schema();
  const std::string printed = to_json(schema);
  const Schema read = parse_schema(printed);
  RC_ASSERT(read == schema);
  RC_ASSERT(to_json(read) == printed);
}

RC_GTEST_PROP(schema, a_damaged_document_is_read_or_refused_in_one_line, ()) {
  std::string text = to_json(any_schema());
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  const auto length = *rc::gen::inRange<std::size_t>(0, 4);
  text.replace(at, length, *rc::gen::container<std::string>(rc::gen::arbitrary<char>()));
  const std::string said = complaint(text);
  RC_ASSERT(said.find('\n') == std::string::npos);
  RC_ASSERT(said.size() < 1000U);
}

}  // namespace
}  // namespace pidforest
