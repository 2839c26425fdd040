// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "explain/wording.h"
#include "unit/explain/any_part.h"
#include "unit/explain/mixed_column.h"

namespace pidforest {
namespace {

using schema::complaint;

std::vector<bool> matches(const Schema& schema, const std::string& json, const ColumnTable& owned) {
  return RowFilter(schema, parse_conditions(json)).matches(owned.table());
}

RC_GTEST_PROP(row_filter, rows_satisfy_a_condition_if_the_part_holds_them, ()) {
  const MixedColumn column = any_mixed_column();
  const schema::Encoder encoder(Schema{{column.schema}});
  const Numbers values = schema::encoded(column.schema, column.table.table());
  const geometry::Part part = any_part(values, encoder.axes()[0]);
  const std::vector<std::size_t> order{0};
  const double length = std::max(encoder.axes()[0].period, static_cast<double>(encoder.axes()[0].n_cells));
  const std::vector<geometry::Interval> root{{.low = 0, .high = length > 0 ? length : 1, .missing_share = 0.25}};
  const Condition condition = explain::condition_of(part, {encoder, order, root});
  const std::string json = to_json(std::vector{condition});
  RC_LOG() << json << '\n';
  RC_ASSERT(parse_conditions(json) == std::vector{condition});
  std::vector<bool> held;
  for (const double value : values) held.push_back(part.holds(value));
  RC_ASSERT(matches(encoder.schema(), json, column.table) == held);
}

TEST(row_filter, rows_satisfy_all_conditions) {
  const Schema schema{{column_of(Kind::continuous, "amount"), with_levels(Kind::category, {"a", "b"})}};
  const ColumnTable owned =
      ColumnTable().texts("x", {"a", "a", "b", "c", std::nullopt}).numbers("amount", {9000, 8999, 9500, 9500, 9500});
  const auto found = [&](const std::string& json) { return matches(schema, json, owned); };
  EXPECT_EQ(found(R"([{"column": "amount", "at_least": 9000}, {"column": "x", "in": ["a"]}])"),
            (std::vector<bool>{true, false, false, false, false}));
  EXPECT_EQ(found(R"([{"column": "amount", "at_least": 9000}, {"column": "x", "not_in": ["a"]}])"),
            (std::vector<bool>{false, false, true, true, false}));
  EXPECT_EQ(found(R"([{"column": "x", "missing": true}])"), (std::vector<bool>{false, false, false, false, true}));
  EXPECT_EQ(found("[]"), std::vector<bool>(5, true));
}

TEST(row_filter, needs_only_the_columns_that_conditions_name) {
  const Schema schema{{column_of(Kind::continuous, "a"), column_of(Kind::continuous, "b")}};
  const ColumnTable owned = ColumnTable().numbers("b", {1, 2});
  EXPECT_EQ(matches(schema, R"([{"column": "b", "below": 2}])", owned), (std::vector<bool>{true, false}));
  EXPECT_THROW(matches(schema, R"([{"column": "a", "below": 2}])", owned), InvalidInput);
}

TEST(row_filter, asks_times_for_what_the_model_does_not_derive) {
  const Schema schema{{schema::time_of({Derivation::hour_of_day})}};
  const ColumnTable owned = ColumnTable().texts("x", {"2026-11-16", "2026-11-15", std::nullopt});
  EXPECT_EQ(matches(schema, R"([{"column": "x", "derivation": "day_of_week", "in": ["Saturday", "Sunday"]}])", owned),
            (std::vector<bool>{false, true, false}));
  EXPECT_EQ(matches(schema, R"([{"column": "x", "missing": false}])", owned), (std::vector<bool>{true, true, false}));
}

TEST(row_filter, levels_need_not_be_a_run) {
  const Schema schema{{with_levels(Kind::ordinal, {"S", "M", "L"})}};
  const ColumnTable owned = ColumnTable().texts("x", {"S", "M", "L"});
  EXPECT_EQ(matches(schema, R"([{"column": "x", "in": ["S", "L"]}])", owned), (std::vector<bool>{true, false, true}));
}

TEST(row_filter, a_rule_that_does_not_fit_the_schema_is_refused_with_its_path) {
  ColumnSchema hour = schema::circle(24, 1);
  hour.name = "hour";
  ColumnSchema when = schema::time_of({Derivation::hour_of_day});
  when.name = "when";
  const Schema schema{{column_of(Kind::continuous, "amount"), with_levels(Kind::category, {"a", "b"}), hour, when,
                       column_of(Kind::ignored, "id")}};
  const auto refusal = [&](const std::string& json) {
    return complaint([&] { RowFilter(schema, parse_conditions(json)); });
  };
  EXPECT_EQ(refusal(R"([{"column": "amount", "below": 2}, {"column": "id", "in": ["7"]}])"),
            "conditions[1].column: must be one of 'amount', 'x', 'hour', 'when'; got 'id'.");
  EXPECT_EQ(refusal(R"([{"column": "x", "in": ["a", "A"]}])"),
            "conditions[0] ('x').in[1]: must be one of 'a', 'b'; got 'A'.");
  EXPECT_EQ(refusal(R"([{"column": "x", "at_least": 2}])"),
            "conditions[0] ('x'): must have in or not_in, or missing; got at_least or below.");
  EXPECT_EQ(refusal(R"([{"column": "amount", "from": 2, "before": 1}])"),
            "conditions[0] ('amount'): must have at_least or below, or missing; got from and before.");
  EXPECT_EQ(refusal(R"([{"column": "amount", "at_least": 2, "below": 2}])"),
            "conditions[0] ('amount'): at_least must be less than below, and one of them finite; got 2 and 2.");
  EXPECT_EQ(refusal(R"([{"column": "hour", "from": 2.5, "before": 4}])"),
            "conditions[0] ('hour').from: must be a multiple of the step, 1; got 2.5.");
  EXPECT_EQ(refusal(R"([{"column": "hour", "from": 22, "before": 25}])"),
            "conditions[0] ('hour').before: must be between 0 and 24; got 25.");
  EXPECT_EQ(refusal(R"([{"column": "hour", "from": 0, "before": 24}])"),
            "conditions[0] ('hour'): from and before must differ; got 0 and 24. Write \"missing\": false for the whole "
            "circle.");
  EXPECT_EQ(refusal(R"([{"column": "when", "from": 2, "before": 4}])"),
            "conditions[0] ('when').derivation: must be one of hour_of_day, day_of_week, month, day_of_year, epoch; "
            "got none.");
  EXPECT_EQ(refusal(R"([{"column": "x", "derivation": "month", "in": ["May"]}])"),
            "conditions[0] ('x').derivation: must come with a value of a time column; got 'month'.");
  EXPECT_EQ(refusal(R"([{"column": "when", "derivation": "hour_of_day", "from": "02:30", "before": "04:00"}])"),
            "conditions[0] ('when').from: must be a multiple of the step, 1; got 2.5.");
}

}  // namespace
}  // namespace pidforest
