// SPDX-License-Identifier: Apache-2.0
#include "data/encode.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "pidforest/error.h"
#include "unit/data/owned_table.h"

namespace pidforest::data {
namespace {

using Kinds = AxisInfo::Kind;
using Parents = std::vector<std::pair<std::string, std::string>>;
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr std::int64_t hour = 3'600'000'000;
constexpr std::int64_t day = 24 * hour;

Encoder encoder_of(const ColumnSchema& schema) { return Encoder(Schema{{schema}}); }

/// The values of an axis for all rows of a table's only column.
Numbers encoded(const ColumnSchema& schema, const Table& table, std::size_t axis = 0) {
  const Encoder encoder = encoder_of(schema);
  const Column& column = *encoder.match(table).front();
  Numbers values(table.n_rows());
  encoder.encode(axis, column, 0, values);
  return values;
}

Numbers encoded(const ColumnSchema& schema, const Texts& texts) {
  const OwnedTable owned = OwnedTable().texts("x", texts);
  return encoded(schema, owned.table());
}

Numbers encoded(const ColumnSchema& schema, const Numbers& numbers) {
  const OwnedTable owned = OwnedTable().numbers("x", numbers);
  return encoded(schema, owned.table());
}

Schema completed(const ColumnSchema& schema, const OwnedTable& owned) {
  return complete_schema(Schema{{schema}}, owned.table());
}

ColumnSchema completed_column(const ColumnSchema& schema, const OwnedTable& owned) {
  return completed(schema, owned).columns.front();
}

/// The message with which something is refused; empty if it is not.
template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

bool same(const Numbers& a, const Numbers& b) {
  return std::ranges::equal(a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

ColumnSchema hierarchy(Parents parents, std::vector<std::string> levels = {}) {
  ColumnSchema schema = with_levels(Kind::category, std::move(levels));
  schema.parents = std::move(parents);
  return schema;
}

ColumnSchema circle(double period, double step = 0) {
  ColumnSchema schema = column_of(Kind::cyclic);
  schema.period = period;
  schema.step = step;
  return schema;
}

ColumnSchema ordinal(double low, double high) {
  ColumnSchema schema = column_of(Kind::ordinal);
  schema.range = {low, high};
  return schema;
}

ColumnSchema time_of(std::vector<Derivation> derive, Resolution resolution = Resolution::hour) {
  ColumnSchema schema = column_of(Kind::time);
  schema.derive = std::move(derive);
  schema.resolution = resolution;
  schema.zone = "UTC";
  return schema;
}

// Continuous.

TEST(encode, numbers_and_booleans_are_plain_axes) {
  ColumnSchema schema = column_of(Kind::continuous);
  schema.range = {0, 10};
  schema.missing_share = 0.25;
  const Encoder encoder = encoder_of(schema);
  const OwnedTable owned = OwnedTable().numbers("x", {1, nan}).booleans("b", {0, 1}).texts("t", {"1", "2"});
  const std::vector<Column> columns = owned.table().columns();
  EXPECT_TRUE(encoder.is_plain(0, columns[0]));
  EXPECT_TRUE(encoder.is_plain(0, columns[1]));
  EXPECT_FALSE(encoder.is_plain(0, columns[2]));
  const AxisInfo& axis = encoder.axes().front();
  EXPECT_EQ(axis.name, "x");
  EXPECT_EQ(axis.kind, Kinds::ordered);
  EXPECT_EQ(axis.n_cells, 0U);
  EXPECT_EQ(axis.range, schema.range);
  EXPECT_EQ(axis.missing_share, 0.25);
  EXPECT_TRUE(same(encoded(schema, Numbers{1, nan}), {1, nan}));
}

TEST(encode, texts_of_a_continuous_column_are_read_as_numbers) {
  const Texts texts{"1.5", " +2 ", "-3e2", "nan", "NaN", "", std::nullopt, "inf"};
  EXPECT_TRUE(same(encoded(column_of(Kind::continuous), texts), {1.5, 2, -300, nan, nan, nan, nan, inf}));
}

TEST(encode, a_text_that_is_no_number_is_refused_with_its_row) {
  EXPECT_EQ(complaint([] { encoded(column_of(Kind::continuous), Texts{"1", "2", "n/a"}); }),
            "row 3, column 'x': must be a number; got 'n/a'. Leave it empty if it is missing, or declare the column a "
            "category.");
  EXPECT_THROW(encoded(column_of(Kind::continuous), Texts{"9007199254740993"}), InvalidInput);
  EXPECT_THROW(encoded(column_of(Kind::continuous), Texts{"1e999"}), InvalidInput);
}

TEST(encode, rows_are_counted_from_the_first_of_the_column) {
  const OwnedTable owned = OwnedTable().texts("x", {"1", "2", "no", "4"});
  const Encoder encoder = encoder_of(column_of(Kind::continuous));
  Numbers value(1);
  encoder.encode(0, owned.table().columns()[0], 3, value);
  EXPECT_EQ(value[0], 4);
  EXPECT_TRUE(complaint([&] { encoder.encode(0, owned.table().columns()[0], 2, value); }).starts_with("row 3, "));
}

TEST(encode, a_stride_is_followed) {
  const Numbers values{1, 9, 2, 9};
  const Table table(2, {{.name = "x", .first = values.data(), .stride = 2}});
  EXPECT_EQ(encoded(ordinal(1, 5), table), (Numbers{0.5, 1.5}));
}

// Ordinal.

TEST(encode, an_ordinal_level_is_the_middle_of_its_cell) {
  const ColumnSchema schema = with_levels(Kind::ordinal, {"low", "mid", "high"});
  EXPECT_TRUE(same(encoded(schema, Texts{"high", "low", "mid", std::nullopt, ""}), {2.5, 0.5, 1.5, nan, nan}));
  const AxisInfo axis = encoder_of(schema).axes().front();
  EXPECT_EQ(axis.kind, Kinds::ordered);
  EXPECT_EQ(axis.n_cells, 3U);
}

TEST(encode, an_undeclared_ordinal_level_is_refused) {
  const ColumnSchema schema = with_levels(Kind::ordinal, {"low", "mid", "high"});
  EXPECT_EQ(complaint([&] { encoded(schema, Texts{"low", "hihg"}); }),
            "row 2, column 'x': must be one of 'low', 'mid', 'high'; got 'hihg'. Correct it, or add it to the levels "
            "in the schema.");
}

TEST(encode, a_long_list_of_levels_is_shortened_in_a_message) {
  std::vector<std::string> levels;
  for (int i = 0; i < 1000; ++i) levels.push_back("level " + std::to_string(i));
  const std::string message = complaint([&] { encoded(with_levels(Kind::ordinal, levels), Texts{"x"}); });
  EXPECT_NE(message.find("'level 7', ... (1000 in all); got 'x'"), std::string::npos) << message;
}

TEST(encode, numeric_levels_are_found_by_number_and_by_text) {
  const ColumnSchema schema = with_levels(Kind::ordinal, {"0.5", "1", "100000"}, true);
  EXPECT_TRUE(same(encoded(schema, Numbers{1, 1e5, nan}), {1.5, 2.5, nan}));
  EXPECT_TRUE(same(encoded(schema, Texts{"1.0", " +1e5", ".5", "nan", ""}), {1.5, 2.5, 0.5, nan, nan}));
  EXPECT_THROW(encoded(schema, Numbers{2}), InvalidInput);
  EXPECT_THROW(encoded(schema, Texts{"one"}), InvalidInput);
}

TEST(encode, whole_numbers_beyond_an_ordinal_range_lie_beyond_its_cells) {
  EXPECT_TRUE(same(encoded(ordinal(1, 5), Numbers{1, 5, 0, 7, nan}), {0.5, 4.5, -0.5, 6.5, nan}));
  EXPECT_EQ(encoder_of(ordinal(1, 5)).axes().front().n_cells, 5U);
  EXPECT_EQ(encoded(ordinal(1, 5), Texts{"3"}), Numbers{2.5});
}

TEST(encode, what_is_not_whole_is_refused_in_an_ordinal_range) {
  for (const double value : {2.5, inf, -inf})
    EXPECT_TRUE(
        complaint([&] { encoded(ordinal(1, 5), Numbers{1, value}); }).starts_with("row 2, column 'x': must be"));
}

// Cyclic.

TEST(encode, numbers_go_around_the_circle) {
  EXPECT_TRUE(same(encoded(circle(360), Numbers{0, 360, 725, -90, nan}), {0, 0, 5, 270, nan}));
  EXPECT_EQ(encoded(circle(1), Numbers{-1e-30}), Numbers{0});
  const AxisInfo axis = encoder_of(circle(360)).axes().front();
  EXPECT_EQ(axis.kind, Kinds::cyclic);
  EXPECT_EQ(axis.period, 360);
  EXPECT_EQ(axis.n_cells, 0U);
}

TEST(encode, steps_make_cells) {
  EXPECT_EQ(encoded(circle(24, 1), Numbers{0, 23.9, 24, -0.5}), (Numbers{0.5, 23.5, 0.5, 23.5}));
  const AxisInfo axis = encoder_of(circle(24, 0.5)).axes().front();
  EXPECT_EQ(axis.n_cells, 48U);
  EXPECT_EQ(axis.period, 48);
}

TEST(encode, rounding_never_puts_a_multiple_of_the_step_into_the_cell_before) {
  for (int i = 0; i < 100; ++i) EXPECT_EQ(encoded(circle(1, 0.1), Numbers{i * 0.1})[0], i % 10 + 0.5) << i;
  EXPECT_EQ(encoded(circle(1, 0.1), Numbers{std::nextafter(1, 0)}), Numbers{0.5});
}

TEST(encode, infinity_has_no_place_on_a_circle) {
  EXPECT_EQ(complaint([] { encoded(circle(24), Numbers{1, inf}); }), "row 2, column 'x': must be finite; got 'inf'.");
}

TEST(encode, levels_go_around_a_circle_too) {
  const ColumnSchema schema = with_levels(Kind::cyclic, {"mon", "tue", "wed"});
  EXPECT_EQ(encoded(schema, Texts{"wed", "mon"}), (Numbers{2.5, 0.5}));
  const AxisInfo axis = encoder_of(schema).axes().front();
  EXPECT_EQ(axis.kind, Kinds::cyclic);
  EXPECT_EQ(axis.n_cells, 3U);
  EXPECT_EQ(axis.period, 3);
  EXPECT_THROW(encoded(schema, Texts{"someday"}), InvalidInput);
}

RC_GTEST_PROP(encode, a_circle_keeps_every_number_below_its_period, ()) {
  const double period = *rc::gen::inRange(1, 1000) / 7.0;
  const double number = *rc::gen::arbitrary<double>();
  RC_PRE(std::isfinite(number));
  const double place = encoded(circle(period), Numbers{number})[0];
  RC_ASSERT(place >= 0 && place < period);
}

// Category.

TEST(encode, categories_are_coded_in_the_order_of_their_levels) {
  const ColumnSchema schema = with_levels(Kind::category, {"red", "green", "blue"});
  EXPECT_TRUE(same(encoded(schema, Texts{"blue", "red", "green", std::nullopt, ""}), {2, 0, 1, nan, nan}));
  const AxisInfo axis = encoder_of(schema).axes().front();
  EXPECT_EQ(axis.kind, Kinds::category);
  EXPECT_EQ(axis.n_cells, 3U);
  EXPECT_TRUE(axis.parents.empty());
}

TEST(encode, a_level_never_heard_of_has_the_code_after_the_last) {
  EXPECT_EQ(encoded(with_levels(Kind::category, {"a", "b"}), Texts{"c", "C", " a"}), (Numbers{2, 2, 2}));
  EXPECT_EQ(encoded(with_levels(Kind::category, {"1", "2"}, true), Numbers{3, inf}), (Numbers{2, 2}));
}

TEST(encode, an_empty_text_is_missing_unless_it_is_a_level) {
  EXPECT_TRUE(same(encoded(with_levels(Kind::category, {"", "a"}), Texts{"a", "", std::nullopt, ""}), {1, 0, nan, 0}));
  EXPECT_TRUE(same(encoded(with_levels(Kind::ordinal, {"", "a"}), Texts{std::nullopt, "", "a"}), {nan, 0.5, 1.5}));
}

TEST(encode, any_text_may_be_a_level) {
  const std::string long_name(1 << 20, 'x');
  const std::vector<std::string> levels{"a,b", "say \"hi\"", "two\nlines", "🐘", long_name, "nan", "null", "0"};
  const Texts texts(levels.begin(), levels.end());
  EXPECT_EQ(encoded(with_levels(Kind::category, levels), texts), (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(encoded(with_levels(Kind::category, levels), Texts{long_name + "y"}), Numbers{8});
}

TEST(encode, a_long_text_is_cut_in_a_message) {
  const std::string message = complaint([] { encoded(column_of(Kind::continuous), Texts{std::string(1 << 20, 'x')}); });
  EXPECT_LT(message.size(), 300U);
}

TEST(encode, booleans_may_be_categories) {
  const OwnedTable owned = OwnedTable().booleans("x", {1, 0, nan});
  EXPECT_TRUE(same(encoded(with_levels(Kind::category, {"true", "false"}), owned.table()), {0, 1, nan}));
  EXPECT_THROW(encoded(with_levels(Kind::category, {"red", "green"}), owned.table()), InvalidInput);
}

TEST(encode, minus_zero_is_zero) {
  EXPECT_EQ(encoded(with_levels(Kind::category, {"0", "1"}, true), Numbers{-0.0}), Numbers{0});
}

TEST(encode, a_million_levels_are_no_trouble) {
  std::vector<std::string> levels;
  for (int i = 0; i < 1'000'000; ++i) levels.push_back(std::to_string(i));
  const Encoder encoder = encoder_of(with_levels(Kind::category, levels));
  const std::vector<std::string_view> views(levels.begin(), levels.end());
  Numbers values(views.size());
  encoder.encode(0, Column::of_texts("x", views.data()), 0, values);
  for (std::size_t i = 0; i < values.size(); i += 1000) EXPECT_EQ(values[i], static_cast<double>(i));
}

// Hierarchies.

TEST(encode, levels_of_a_branch_are_coded_side_by_side) {
  const ColumnSchema schema =
      hierarchy({{"de", "europe"}, {"us", "america"}, {"fr", "europe"}, {"br", "america"}}, {"de", "us", "fr", "br"});
  EXPECT_EQ(encoded(schema, Texts{"de", "fr", "us", "br", "cn"}), (Numbers{0, 1, 2, 3, 4}));
  const AxisInfo axis = encoder_of(schema).axes().front();
  EXPECT_EQ(axis.n_cells, 4U);
  EXPECT_EQ(axis.parents, (std::vector<std::uint32_t>{4, 4, 5, 5, 6, 6, 6}));
  EXPECT_EQ(axis.branch_names, (std::vector<std::string>{"europe", "america", ""}));
}

TEST(encode, an_only_top_is_the_whole) {
  const AxisInfo axis = encoder_of(hierarchy({{"a", "all"}, {"b", "all"}}, {"a", "b"})).axes().front();
  EXPECT_EQ(axis.parents, (std::vector<std::uint32_t>{2, 2, 2}));
  EXPECT_EQ(axis.branch_names, (std::vector<std::string>{"all"}));
}

TEST(encode, branches_may_have_one_child_and_different_depths) {
  const AxisInfo axis =
      encoder_of(hierarchy({{"a", "b"}, {"b", "c"}, {"c", "top"}, {"d", "top"}}, {"a", "d"})).axes().front();
  EXPECT_EQ(axis.parents, (std::vector<std::uint32_t>{2, 4, 3, 4, 4}));
  EXPECT_EQ(axis.branch_names, (std::vector<std::string>{"b", "c", "top"}));
}

TEST(encode, a_hierarchy_may_be_very_deep) {
  constexpr int depth = 200'000;
  Parents parents;
  for (int i = 0; i < depth; ++i) parents.emplace_back(std::to_string(i), std::to_string(i + 1));
  const AxisInfo axis = encoder_of(hierarchy(parents, {"0"})).axes().front();
  EXPECT_EQ(axis.n_cells, 1U);
  EXPECT_EQ(axis.branch_names.size(), static_cast<std::size_t>(depth));
}

RC_GTEST_PROP(encode, levels_of_every_branch_are_contiguous, ()) {
  const int n_nodes = *rc::gen::inRange(2, 60);
  Parents parents;
  for (int i = 0; i < n_nodes; ++i) {
    const int above = *rc::gen::inRange(i + 1, n_nodes + 3);
    parents.emplace_back(std::to_string(i), std::to_string(above));
  }
  const OwnedTable owned = OwnedTable().texts("x", {std::nullopt});
  const AxisInfo axis = Encoder(completed(hierarchy(parents), owned)).axes().front();
  const std::size_t whole = axis.parents.size() - 1;
  std::vector<std::set<std::size_t>> levels_of(axis.parents.size());
  for (std::size_t level = 0; level < axis.n_cells; ++level)
    for (std::size_t branch = level; branch != whole; branch = axis.parents[branch])
      levels_of[axis.parents[branch]].insert(level);
  RC_ASSERT(axis.parents[whole] == whole);
  RC_ASSERT(levels_of[whole].size() == axis.n_cells);
  RC_ASSERT(axis.branch_names.size() == axis.parents.size() - axis.n_cells);
  for (std::size_t branch = axis.n_cells; branch <= whole; ++branch) {
    RC_ASSERT(!levels_of[branch].empty());
    RC_ASSERT(*levels_of[branch].rbegin() - *levels_of[branch].begin() + 1 == levels_of[branch].size());
  }
}

// Boolean.

TEST(encode, booleans_are_zero_and_one_however_they_are_written) {
  const ColumnSchema schema = column_of(Kind::boolean);
  EXPECT_EQ(encoded(schema, Texts{"true", "T", "YES", "y", "1"}), (Numbers{1, 1, 1, 1, 1}));
  EXPECT_EQ(encoded(schema, Texts{"False", "f", "no", "N", "0"}), (Numbers{0, 0, 0, 0, 0}));
  EXPECT_TRUE(same(encoded(schema, Texts{"", std::nullopt}), {nan, nan}));
  EXPECT_TRUE(same(encoded(schema, Numbers{1, 0, nan}), {1, 0, nan}));
  const OwnedTable owned = OwnedTable().booleans("x", {1, nan, 0});
  EXPECT_TRUE(same(encoded(schema, owned.table()), {1, nan, 0}));
  const AxisInfo axis = encoder_of(schema).axes().front();
  EXPECT_EQ(axis.kind, Kinds::category);
  EXPECT_EQ(axis.n_cells, 2U);
}

TEST(encode, what_is_neither_true_nor_false_is_refused) {
  EXPECT_EQ(complaint([] { encoded(column_of(Kind::boolean), Texts{"yes", "maybe"}); }),
            "row 2, column 'x': must be true or false, yes or no, 1 or 0; got 'maybe'. Declare it a category.");
  EXPECT_THROW(encoded(column_of(Kind::boolean), Numbers{2}), InvalidInput);
  EXPECT_THROW(encoded(column_of(Kind::boolean), Texts{"nan"}), InvalidInput);
}

// Time.

TEST(encode, a_time_has_an_axis_per_derivation) {
  const ColumnSchema schema = time_of({Derivation::hour_of_day, Derivation::day_of_week, Derivation::month,
                                       Derivation::day_of_year, Derivation::epoch});
  const std::vector<AxisInfo> axes = encoder_of(schema).axes();
  ASSERT_EQ(axes.size(), 5U);
  EXPECT_EQ(axes[0].name, "x.hour_of_day");
  EXPECT_EQ(axes[4].name, "x.epoch");
  const std::vector<std::size_t> n_cells{24, 7, 12, 366, 0};
  for (std::size_t a = 0; a < axes.size(); ++a) {
    EXPECT_EQ(axes[a].n_cells, n_cells[a]);
    EXPECT_EQ(axes[a].period, static_cast<double>(n_cells[a]));
    EXPECT_EQ(axes[a].kind, a == 4 ? Kinds::ordered : Kinds::cyclic);
  }
  const OwnedTable owned = OwnedTable().texts("x", {"2026-11-16T08:30:00", std::nullopt});
  const Numbers expected{8.5, 0.5, 10.5, 320.5, 1794817800};
  for (std::size_t a = 0; a < axes.size(); ++a)
    EXPECT_TRUE(same(encoded(schema, owned.table(), a), {expected[a], nan})) << axes[a].name;
}

TEST(encode, times_are_those_of_the_zone) {
  ColumnSchema schema = time_of({Derivation::hour_of_day});
  schema.zone = "+02:00";
  const OwnedTable times = OwnedTable().times("x", {23 * hour, Column::missing_time});
  EXPECT_TRUE(same(encoded(schema, times.table()), {1.5, nan}));
  EXPECT_EQ(encoded(schema, Texts{"1970-01-01 05:00", "1970-01-01T05:00Z"}), (Numbers{5.5, 7.5}));
}

TEST(encode, the_resolution_makes_the_cells_of_an_hour) {
  const Texts texts{"2026-11-16T06:30:15.5"};
  EXPECT_EQ(encoded(time_of({Derivation::hour_of_day}, Resolution::minute), texts), Numbers{390.5});
  EXPECT_EQ(encoded(time_of({Derivation::hour_of_day}, Resolution::second), texts), Numbers{23415.5});
  const ColumnSchema finest = time_of({Derivation::hour_of_day}, Resolution::microsecond);
  EXPECT_DOUBLE_EQ(encoded(finest, texts)[0], 6 + 30.0 / 60 + 15.5 / 3600);
  EXPECT_EQ(encoder_of(finest).axes().front().n_cells, 0U);
  EXPECT_EQ(encoder_of(finest).axes().front().period, 24);
}

TEST(encode, numbers_are_times_where_their_unit_is_declared) {
  ColumnSchema schema = time_of({Derivation::hour_of_day, Derivation::epoch}, Resolution::microsecond);
  for (const auto& [unit, size] :
       {std::pair{EpochUnit::seconds, 1.0}, {EpochUnit::milliseconds, 1e3}, {EpochUnit::microseconds, 1e6}}) {
    schema.epoch_unit = unit;
    EXPECT_EQ(encoded(schema, Numbers{5400 * size}), Numbers{1.5});
  }
  EXPECT_THROW(encoded(schema, Numbers{1e300}), InvalidInput);
  EXPECT_THROW(encoded(schema, Numbers{inf}), InvalidInput);
  schema.epoch_unit = EpochUnit::none;
  EXPECT_EQ(
      complaint([&] { encoded(schema, Numbers{0}); }),
      "column 'x' must hold times, as in the fit; got numbers. Declare their unit, s, ms or us, if they count from "
      "1970-01-01 00:00 UTC.");
}

TEST(encode, what_is_no_time_is_refused_with_its_row) {
  const ColumnSchema schema = time_of({Derivation::hour_of_day});
  EXPECT_EQ(complaint([&] { encoded(schema, Texts{"2026-11-16", "soon"}); }),
            "row 2, column 'x': must be a date or time such as 2026-11-16 or 2026-11-16T08:30:00+01:00; got 'soon'. "
            "Leave it empty if it is missing.");
  EXPECT_NE(complaint([&] { encoded(schema, Texts{"03/04/2026"}); }).find("Declare date_order"), std::string::npos);
  const OwnedTable owned = OwnedTable().times("x", {std::numeric_limits<std::int64_t>::max()});
  EXPECT_TRUE(complaint([&] { encoded(schema, owned.table()); }).starts_with("row 1, column 'x': must be a time in"));
}

// Tables and schemas.

TEST(encode, columns_are_found_by_name) {
  const Encoder encoder(
      Schema{{column_of(Kind::continuous, "a"), column_of(Kind::ignored, "gone"), column_of(Kind::continuous, "b")}});
  const OwnedTable owned = OwnedTable().numbers("extra", {1}).numbers("b", {2}).numbers("a", {3});
  const Table table = owned.table();
  EXPECT_EQ(encoder.match(table), (std::vector<const Column*>{&table.columns()[2], nullptr, &table.columns()[1]}));
  ASSERT_EQ(encoder.axes().size(), 2U);
  EXPECT_EQ(encoder.axes()[1].column, 2U);
}

TEST(encode, a_column_that_is_lacking_is_named) {
  const OwnedTable owned = OwnedTable().numbers("y", {1});
  EXPECT_EQ(complaint([&] { static_cast<void>(encoder_of(column_of(Kind::continuous)).match(owned.table())); }),
            "the table has no column 'x', which the model was fitted on.");
  EXPECT_EQ(complaint([&] { completed(column_of(Kind::continuous), owned); }),
            "the table has no column 'x', which the schema names.");
}

TEST(encode, a_column_that_changed_its_type_is_refused) {
  EXPECT_EQ(complaint([] { encoded(with_levels(Kind::category, {"red"}), Numbers{1}); }),
            "column 'x' must hold texts, as in the fit; got numbers.");
  const OwnedTable times = OwnedTable().times("x", {0});
  EXPECT_EQ(complaint([&] { encoded(column_of(Kind::continuous), times.table()); }),
            "column 'x' must hold numbers, as in the fit; got times. Declare the column's kind as time.");
  EXPECT_EQ(complaint([&] { completed(column_of(Kind::continuous), times); }),
            "column 'x' must hold numbers; got times. Declare the column's kind as time.");
  for (const Kind kind : {Kind::category, Kind::ordinal, Kind::boolean})
    EXPECT_THROW(completed(column_of(kind), times), InvalidInput);
}

TEST(encode, an_encoder_may_be_copied_and_outlive_the_first) {
  const auto copy = [] {
    const Encoder first = encoder_of(with_levels(Kind::category, {"a", "b"}));
    return Encoder(first);
  }();
  const OwnedTable owned = OwnedTable().texts("x", {"b"});
  Numbers values(1);
  copy.encode(0, owned.table().columns()[0], 0, values);
  EXPECT_EQ(values[0], 1);
}

// complete_schema.

TEST(complete, categories_get_the_levels_of_the_data_sorted) {
  const OwnedTable texts = OwnedTable().texts("x", {"b", "a", std::nullopt, "b", "", "C"});
  EXPECT_EQ(completed_column(column_of(Kind::category), texts).levels, (std::vector<std::string>{"C", "a", "b"}));
  const OwnedTable numbers = OwnedTable().numbers("x", {10, 9, nan, -0.0, 0, 0.5});
  const ColumnSchema numeric = completed_column(column_of(Kind::category), numbers);
  EXPECT_EQ(numeric.levels, (std::vector<std::string>{"0", "0.5", "9", "10"}));
  EXPECT_TRUE(numeric.numeric_levels);
  const OwnedTable booleans = OwnedTable().booleans("x", {1, 0, nan});
  EXPECT_EQ(completed_column(column_of(Kind::category), booleans).levels, (std::vector<std::string>{"false", "true"}));
  const OwnedTable infinite = OwnedTable().numbers("x", {1, inf});
  EXPECT_EQ(complaint([&] { completed(column_of(Kind::category), infinite); }),
            "row 2, column 'x': must be finite; got 'inf'.");
}

TEST(complete, a_value_that_is_not_among_the_declared_levels_is_refused) {
  const OwnedTable owned = OwnedTable().texts("x", {"red", std::nullopt, "blu"});
  EXPECT_EQ(complaint([&] { completed(with_levels(Kind::category, {"red", "blue"}), owned); }),
            "row 3, column 'x': must be one of 'red', 'blue'; got 'blu'. Correct it, or add it to the levels in the "
            "schema.");
  EXPECT_THROW(completed(with_levels(Kind::ordinal, {"red", "blue"}), owned), InvalidInput);
  const OwnedTable numbers = OwnedTable().numbers("x", {1, 2, 3});
  EXPECT_THROW(completed(with_levels(Kind::category, {"1", "2"}, true), numbers), InvalidInput);
}

TEST(complete, text_in_a_continuous_column_is_refused) {
  const OwnedTable owned = OwnedTable().texts("x", {"1", "two"});
  EXPECT_TRUE(complaint([&] { completed(column_of(Kind::continuous), owned); }).starts_with("row 2, column 'x'"));
}

TEST(complete, texts_that_are_no_utf8_cannot_become_levels) {
  const OwnedTable owned = OwnedTable().texts("x", {"a", "\xFF"});
  EXPECT_TRUE(complaint([&] {
                completed(column_of(Kind::category), owned);
              }).starts_with("row 2, column 'x': must be text in UTF-8"));
}

TEST(complete, a_hierarchy_has_the_lowest_names_as_levels_in_the_order_of_their_codes) {
  const Parents parents{
      {"de", "europe"}, {"us", "america"}, {"fr", "europe"}, {"europe", "world"}, {"america", "world"}};
  const OwnedTable owned = OwnedTable().texts("x", {"us", "de"});
  const ColumnSchema found = completed_column(hierarchy(parents), owned);
  EXPECT_EQ(found.levels, (std::vector<std::string>{"de", "fr", "us"}));
  EXPECT_EQ(completed_column(found, owned), found);
  EXPECT_EQ(encoded(found, owned.table()), (Numbers{2, 0}));
  const ColumnSchema declared = completed_column(hierarchy(parents, {"us", "de", "fr"}), owned);
  EXPECT_EQ(declared.levels, (std::vector<std::string>{"us", "de", "fr"}));
}

TEST(complete, a_value_without_a_parent_is_refused) {
  const OwnedTable owned = OwnedTable().texts("x", {"de", "narnia"});
  EXPECT_EQ(
      complaint([&] { completed(hierarchy({{"de", "europe"}, {"us", "america"}}), owned); }),
      "row 2, column 'x': must be one of 'de', 'us'; got 'narnia'. Correct it, or give it a parent in the schema.");
  EXPECT_THROW(completed(hierarchy({{"de", "europe"}}, {"de", "narnia"}), owned), InvalidInput);
}

TEST(complete, numbers_may_have_parents) {
  const OwnedTable owned = OwnedTable().numbers("x", {2, 10});
  const ColumnSchema schema = completed_column(hierarchy({{"10", "high"}, {"2", "low"}}), owned);
  EXPECT_TRUE(schema.numeric_levels);
  EXPECT_EQ(encoded(schema, owned.table()), (Numbers{1, 0}));
}

TEST(complete, whole_numbers_make_an_ordinal_range) {
  const OwnedTable numbers = OwnedTable().numbers("x", {3, 1, nan, 5});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), numbers).range, (std::pair{1.0, 5.0}));
  const OwnedTable texts = OwnedTable().texts("x", {"3", "1", ""});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), texts).range, (std::pair{1.0, 3.0}));
}

TEST(complete, other_numbers_make_ordinal_levels) {
  const OwnedTable halves = OwnedTable().numbers("x", {1.5, 1, 1.5});
  const ColumnSchema schema = completed_column(column_of(Kind::ordinal), halves);
  EXPECT_EQ(schema.levels, (std::vector<std::string>{"1", "1.5"}));
  EXPECT_TRUE(schema.numeric_levels);
  const OwnedTable wide = OwnedTable().numbers("x", {0, 1e6});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), wide).levels, (std::vector<std::string>{"0", "1000000"}));
  const OwnedTable one = OwnedTable().numbers("x", {7, 7});
  EXPECT_EQ(completed_column(column_of(Kind::ordinal), one).levels, std::vector<std::string>{"7"});
}

TEST(complete, ordinal_texts_need_their_order_declared) {
  const OwnedTable owned = OwnedTable().texts("x", {"low", "high"});
  const std::string message = complaint([&] { completed(column_of(Kind::ordinal), owned); });
  EXPECT_TRUE(message.starts_with("column 'x': ")) << message;
  EXPECT_NE(message.find("\"levels\""), std::string::npos) << message;
}

TEST(complete, times_get_zone_resolution_and_derivations) {
  const OwnedTable owned = OwnedTable().texts("x", {"2026-11-16T08:30+02:00", "2026-11-17T09:00+02:00", ""});
  const ColumnSchema schema = completed_column(column_of(Kind::time), owned);
  EXPECT_EQ(schema.zone, "+02:00");
  EXPECT_EQ(schema.resolution, Resolution::minute);
  EXPECT_EQ(schema.derive, (std::vector{Derivation::hour_of_day, Derivation::day_of_week}));
}

TEST(complete, a_zone_is_taken_from_texts_only_if_all_share_it) {
  const auto zone_of = [](const Texts& texts) {
    const OwnedTable owned = OwnedTable().texts("x", texts);
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
  const OwnedTable owned = OwnedTable().times("x", {0, hour});
  EXPECT_EQ(completed_column(schema, owned), schema);
}

TEST(complete, the_coarsest_resolution_is_that_of_the_local_clock) {
  ColumnSchema schema = column_of(Kind::time);
  schema.zone = "+05:30";
  const OwnedTable owned = OwnedTable().times("x", {hour / 2, hour + hour / 2});
  EXPECT_EQ(completed_column(schema, owned).resolution, Resolution::hour);
  const OwnedTable fine = OwnedTable().times("x", {0, 1});
  EXPECT_EQ(completed_column(schema, fine).resolution, Resolution::microsecond);
}

TEST(complete, months_are_derived_from_two_years_on) {
  const auto derived = [](std::int64_t last_day) {
    const OwnedTable owned = OwnedTable().times("x", {0, 40 * day, last_day * day});
    return completed_column(column_of(Kind::time), owned).derive;
  };
  EXPECT_EQ(derived(729), std::vector{Derivation::day_of_week});
  EXPECT_EQ(derived(730), (std::vector{Derivation::day_of_week, Derivation::month, Derivation::day_of_year}));
}

TEST(complete, a_column_without_values_stays_as_it_is) {
  const OwnedTable numbers = OwnedTable().numbers("x", {nan, nan});
  const OwnedTable texts = OwnedTable().texts("x", {std::nullopt, ""});
  const OwnedTable no_rows = OwnedTable().texts("x", {});
  for (const OwnedTable* owned : {&numbers, &texts, &no_rows})
    for (const Kind kind : {Kind::continuous, Kind::ordinal, Kind::category, Kind::boolean}) {
      EXPECT_EQ(completed_column(column_of(kind), *owned), column_of(kind));
      for (const double value : encoded(column_of(kind), owned->table())) EXPECT_TRUE(std::isnan(value));
    }
  const ColumnSchema times = completed_column(column_of(Kind::time), texts);
  EXPECT_TRUE(times.derive.empty());
  EXPECT_TRUE(encoder_of(times).axes().empty());
}

TEST(complete, columns_that_the_schema_does_not_name_are_left_out) {
  const OwnedTable owned = OwnedTable().texts("other", {"?"}).numbers("x", {1});
  EXPECT_EQ(completed(column_of(Kind::continuous), owned), (Schema{{column_of(Kind::continuous)}}));
}

TEST(complete, an_invalid_schema_is_refused) {
  const OwnedTable owned = OwnedTable().numbers("x", {1});
  EXPECT_THROW(completed(circle(-1), owned), InvalidInput);
}

TEST(complete, one_wrong_value_is_found_in_any_block) {
  Texts texts(10'000, "a");
  texts[9'999] = "b";
  const OwnedTable owned = OwnedTable().texts("x", texts);
  EXPECT_TRUE(complaint([&] { completed(with_levels(Kind::category, {"a"}), owned); }).starts_with("row 10000,"));
}

}  // namespace
}  // namespace pidforest::data
