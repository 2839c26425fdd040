// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pidforest/explain.h"
#include "unit/schema/encoding.h"

namespace pidforest {
namespace {

using schema::complaint;
using Shape = Condition::Shape;

std::string refusal(const std::string& json) {
  return complaint([&] { parse_conditions(json); });
}

struct Printed {
  Condition condition;
  std::string json;
};

const std::vector<Printed>& printed() {
  using enum Derivation;
  static const std::vector<Printed> all{
      {{.column = "amount", .shape = Shape::range, .low = std::nextafter(9000, 9001), .high = 12345.6789},
       R"([{"column": "amount", "at_least": 9000.000000000002, "below": 12345.6789}])"},
      {{.column = "amount", .shape = Shape::range, .high = 1e300, .share = 0.25},
       R"([{"column": "amount", "below": 1e+300, "share": 0.25}])"},
      {{.column = "angle", .shape = Shape::arc, .low = 350, .high = 0},
       R"([{"column": "angle", "from": 350, "before": 0}])"},
      {{.column = "x", .derivation = hour_of_day, .shape = Shape::arc, .low = 22, .high = 5.5},
       R"([{"column": "x", "derivation": "hour_of_day", "from": "22:00", "before": "05:30"}])"},
      {{.column = "x", .derivation = hour_of_day, .shape = Shape::arc, .low = 1 / 3.6e9, .high = 15 / 3600.0},
       R"([{"column": "x", "derivation": "hour_of_day", "from": "00:00:00.000001", "before": "00:00:15"}])"},
      {{.column = "x", .derivation = day_of_year, .shape = Shape::arc, .low = 59, .high = 0},
       R"([{"column": "x", "derivation": "day_of_year", "from": "02-29", "before": "01-01"}])"},
      {{.column = "x", .derivation = day_of_week, .shape = Shape::levels, .levels = {"Saturday", "Sunday"}},
       R"([{"column": "x", "derivation": "day_of_week", "in": ["Saturday", "Sunday"]}])"},
      {{.column = "x", .derivation = epoch, .shape = Shape::range, .low = 1794817800.25, .high = 253402300799.9},
       R"([{"column": "x", "derivation": "epoch", "at_least": "2026-11-16T08:30:00.25Z", )"
       R"("below": "9999-12-31T23:59:59.899985Z"}])"},
      {{.column = "a \"b\"\n", .shape = Shape::other_levels, .levels = {"", "ä"}},
       R"([{"column": "a \"b\"\n", "not_in": ["", "ä"]}])"},
      {{.column = "fan", .shape = Shape::missing}, R"([{"column": "fan", "missing": true}])"},
      {{.column = "fan", .shape = Shape::present}, R"([{"column": "fan", "missing": false}])"},
  };
  return all;
}

TEST(condition_json, prints_exactly_and_reads_back) {
  for (const auto& [condition, json] : printed()) {
    EXPECT_EQ(to_json(std::vector{condition}), json);
    EXPECT_EQ(parse_conditions(json), std::vector{condition}) << json;
  }
}

TEST(condition_json, conditions_are_one_array) {
  EXPECT_EQ(to_json(std::vector<Condition>()), "[]");
  EXPECT_EQ(parse_conditions(" [] "), std::vector<Condition>());
  const std::string two = R"([{"column": "a", "below": 1}, {"column": "b", "missing": true}])";
  EXPECT_EQ(to_json(parse_conditions(two)), two);
}

TEST(condition_json, levels_may_be_written_as_numbers_and_booleans) {
  EXPECT_EQ(parse_conditions(R"([{"column": "x", "in": [1.0, 1e5, true, "1.0"]}])")[0].levels,
            (std::vector<std::string>{"1", "100000", "true", "1.0"}));
}

TEST(condition_json, times_may_be_in_any_zone) {
  const std::string json = R"([{"column": "x", "derivation": "epoch", "below": "2026-11-16T09:30:00+01:00"}])";
  EXPECT_EQ(parse_conditions(json)[0].high, 1794817800);
}

TEST(condition_json, a_witness_has_its_figures) {
  const Witness witness{.conditions = {{.column = "x", .shape = Shape::range, .low = 5, .share = 0.125}},
                        .volume = 0.125,
                        .n_inside = 3,
                        .n_rows = 9007199254740993,
                        .bits = 15.5};
  EXPECT_EQ(to_json(witness),
            R"({"conditions": [{"column": "x", "at_least": 5, "share": 0.125}], "volume": 0.125, "n_inside": 3, )"
            R"("n_rows": 9007199254740993, "bits": 15.5})");
}

TEST(condition_json, what_is_no_list_of_conditions_is_refused) {
  EXPECT_EQ(refusal("{}"), "conditions: must be an array of objects; got an object.");
  EXPECT_EQ(refusal("[3]"), "conditions[0]: must be an object; got 3.");
  EXPECT_EQ(refusal(R"([{"in": ["a"]}])"), "conditions[0].column: must be the name of a column; got none.");
  EXPECT_EQ(refusal(R"([{"column": 3}])"), "conditions[0].column: must be a string; got 3.");
  EXPECT_TRUE(refusal("[").starts_with("conditions: line 1, column 2: "));
  EXPECT_TRUE(refusal(R"([{"column": "a", "column": "b"}])").starts_with("conditions: [0]"));
}

TEST(condition_json, keys_that_say_no_single_shape_are_refused) {
  EXPECT_EQ(
      refusal(R"([{"column": "x"}])"),
      "conditions[0] ('x'): must have one of at_least and below, from and before, in, not_in, missing; got none.");
  EXPECT_EQ(refusal(R"([{"column": "x", "below": 2, "in": ["a"]}])"),
            "conditions[0] ('x'): must have one of at_least and below, from and before, in, not_in, missing; got below "
            "and in.");
  EXPECT_EQ(refusal(R"([{"column": "x", "from": 2}])"),
            "conditions[0] ('x'): an arc must have from and before; got one of them.");
  EXPECT_EQ(refusal(R"([{"column": "x", "above": 2}])"),
            "conditions[0] ('x').above: the keys of a condition may be column, derivation, at_least, below, from, "
            "before, in, not_in, missing, share.");
}

TEST(condition_json, values_of_the_wrong_type_are_refused) {
  EXPECT_EQ(refusal(R"([{"column": "x", "below": "2"}])"), "conditions[0] ('x').below: must be a number; got '2'.");
  EXPECT_EQ(refusal(R"([{"column": "x", "in": "a"}])"),
            "conditions[0] ('x').in: must be a non-empty array of levels; got 'a'.");
  EXPECT_EQ(refusal(R"([{"column": "x", "in": []}])"),
            "conditions[0] ('x').in: must be a non-empty array of levels; got none.");
  EXPECT_EQ(refusal(R"([{"column": "x", "in": ["a", null]}])"),
            "conditions[0] ('x').in[1]: must be a string, a number, true or false; got null.");
  EXPECT_EQ(refusal(R"([{"column": "x", "missing": 1}])"),
            "conditions[0] ('x').missing: must be true or false; got 1.");
  EXPECT_EQ(refusal(R"([{"column": "x", "below": 1, "share": 2}])"),
            "conditions[0] ('x').share: must be a number above 0 and at most 1; got 2.");
  EXPECT_EQ(refusal(R"([{"column": "x", "derivation": "week", "in": ["a"]}])"),
            "conditions[0] ('x').derivation: must be one of hour_of_day, day_of_week, month, day_of_year, epoch; got "
            "'week'.");
}

TEST(condition_json, times_that_are_none_are_refused) {
  const auto with = [](const std::string& derivation, const std::string& value) {
    return refusal(
        fmt::format(R"([{{"column": "x", "derivation": "{}", "from": {}, "before": "01:00"}}])", derivation, value));
  };
  EXPECT_EQ(with("hour_of_day", "22"), "conditions[0] ('x').from: must be a time of day such as \"22:00\"; got 22.");
  EXPECT_FALSE(with("hour_of_day", R"("25:00")").empty());
  EXPECT_FALSE(with("hour_of_day", R"("22:00Z")").empty());
  EXPECT_EQ(with("day_of_year", R"("02-30")"),
            "conditions[0] ('x').from: must be a month and a day such as \"02-29\"; got '02-30'.");
  EXPECT_EQ(with("epoch", R"("2026-11-16 08:30")"),
            "conditions[0] ('x').from: must be a time with its offset, such as \"2026-11-16T08:30:00Z\"; got "
            "'2026-11-16 08:30'.");
  EXPECT_EQ(with("epoch", R"("9999-12-31T23:00-02:00")"),
            "conditions[0] ('x').from: must be in the years 1 to 9999 of UTC; got '9999-12-31T23:00-02:00'.");
}

TEST(condition_json, a_name_that_is_no_utf8_is_refused) {
  EXPECT_THROW(to_json(std::vector{Condition{.column = "\xFF"}}), InvalidInput);
}

}  // namespace
}  // namespace pidforest
