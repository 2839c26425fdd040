// SPDX-License-Identifier: Apache-2.0
#include "schema/encode.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>

#include "unit/schema/encoding.h"

namespace pidforest::schema {
namespace {

// Continuous.

TEST(encode, numbers_and_booleans_are_plain_axes) {
  ColumnSchema schema = column_of(Kind::continuous);
  schema.range = {0, 10};
  schema.missing_share = 0.25;
  const Encoder encoder = encoder_of(schema);
  const ColumnTable owned = ColumnTable().numbers("x", {1, nan}).booleans("b", {0, 1}).texts("t", {"1", "2"});
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
  EXPECT_EQ(complaint([] { encoded(column_of(Kind::continuous), Texts{"1", "2", "abc"}); }),
            "row 3, column 'x': must be a number; got 'abc'. Leave it empty if it is missing, or declare the column a "
            "category.");
  EXPECT_TRUE(same(encoded(column_of(Kind::continuous), Texts{"1", "NA", "null", "-"}), {1, nan, nan, nan}));
  EXPECT_THROW(encoded(column_of(Kind::continuous), Texts{"9007199254740993"}), InvalidInput);
  EXPECT_THROW(encoded(column_of(Kind::continuous), Texts{"1e999"}), InvalidInput);
}

TEST(encode, rows_are_counted_from_the_first_of_the_column) {
  const ColumnTable owned = ColumnTable().texts("x", {"1", "2", "no", "4"});
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
  const ColumnTable owned = ColumnTable().booleans("x", {1, 0, nan});
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
  const ColumnTable owned = ColumnTable().texts("x", {std::nullopt});
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
  const ColumnTable owned = ColumnTable().booleans("x", {1, nan, 0});
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
  const ColumnTable owned = ColumnTable().texts("x", {"2026-11-16T08:30:00", std::nullopt});
  const Numbers expected{8.5, 0.5, 10.5, 320.5, 1794817800};
  for (std::size_t a = 0; a < axes.size(); ++a)
    EXPECT_TRUE(same(encoded(schema, owned.table(), a), {expected[a], nan})) << axes[a].name;
}

TEST(encode, times_are_those_of_the_zone) {
  ColumnSchema schema = time_of({Derivation::hour_of_day});
  schema.zone = "+02:00";
  const ColumnTable times = ColumnTable().times("x", {23 * values::hour, Column::missing_time});
  EXPECT_TRUE(same(encoded(schema, times.table()), {1.5, nan}));
  EXPECT_EQ(encoded(schema, Texts{"1970-01-01 05:00", "1970-01-01T05:00Z"}), (Numbers{5.5, 7.5}));
  Column local = times.table().columns().front();
  local.are_local = true;
  EXPECT_TRUE(same(encoded(schema, Table(2, {local})), {23.5, nan}));
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
      "column 'x' must contain times, as in the fit; got numbers. Declare their unit, s, ms or us, if they count from "
      "1970-01-01 00:00 UTC.");
}

TEST(encode, what_is_no_time_is_refused_with_its_row) {
  const ColumnSchema schema = time_of({Derivation::hour_of_day});
  EXPECT_EQ(complaint([&] { encoded(schema, Texts{"2026-11-16", "soon"}); }),
            "row 2, column 'x': must be a date or time such as 2026-11-16 or 2026-11-16T08:30:00+01:00; got 'soon'. "
            "Leave it empty if it is missing.");
  EXPECT_NE(complaint([&] { encoded(schema, Texts{"03/04/2026"}); }).find("Declare date_order"), std::string::npos);
  const ColumnTable owned = ColumnTable().times("x", {std::numeric_limits<std::int64_t>::max()});
  EXPECT_TRUE(complaint([&] { encoded(schema, owned.table()); }).starts_with("row 1, column 'x': must be a time in"));
}

// Tables and schemas.

TEST(encode, columns_are_found_by_name) {
  const Encoder encoder(
      Schema{{column_of(Kind::continuous, "a"), column_of(Kind::ignored, "gone"), column_of(Kind::continuous, "b")}});
  const ColumnTable owned = ColumnTable().numbers("extra", {1}).numbers("b", {2}).numbers("a", {3});
  const Table table = owned.table();
  EXPECT_EQ(encoder.match(table), (std::vector<const Column*>{&table.columns()[2], nullptr, &table.columns()[1]}));
  ASSERT_EQ(encoder.axes().size(), 2U);
  EXPECT_EQ(encoder.axes()[1].column, 2U);
}

TEST(encode, a_column_that_is_lacking_is_named) {
  const ColumnTable owned = ColumnTable().numbers("y", {1});
  EXPECT_EQ(complaint([&] { static_cast<void>(encoder_of(column_of(Kind::continuous)).match(owned.table())); }),
            "the table has no column 'x', which the model was fitted on.");
  EXPECT_EQ(complaint([&] { completed(column_of(Kind::continuous), owned); }),
            "the table has no column 'x', which the schema names.");
}

TEST(encode, a_column_that_changed_its_type_is_refused) {
  EXPECT_EQ(complaint([] { encoded(with_levels(Kind::category, {"red"}), Numbers{1}); }),
            "column 'x' must contain text, as in the fit; got numbers.");
  const ColumnTable times = ColumnTable().times("x", {0});
  EXPECT_EQ(complaint([&] { encoded(column_of(Kind::continuous), times.table()); }),
            "column 'x' must contain numbers, as in the fit; got times. Declare the column's kind as time.");
  EXPECT_EQ(complaint([&] { completed(column_of(Kind::continuous), times); }),
            "column 'x' must contain numbers; got times. Declare the column's kind as time.");
  for (const Kind kind : {Kind::category, Kind::ordinal, Kind::boolean})
    EXPECT_THROW(completed(column_of(kind), times), InvalidInput);
}

TEST(encode, a_column_without_values_may_have_any_type) {
  EXPECT_TRUE(std::isnan(encoded(with_levels(Kind::category, {"red"}), Numbers{nan, nan})[1]));
  EXPECT_TRUE(std::isnan(encoded(time_of({Derivation::hour_of_day}), Numbers{nan})[0]));
  const ColumnTable times = ColumnTable().times("x", {Column::missing_time, Column::missing_time});
  EXPECT_TRUE(std::isnan(encoded(column_of(Kind::continuous), times.table())[1]));
  EXPECT_TRUE(std::isnan(encoded(with_levels(Kind::category, {"red"}), times.table())[0]));
  EXPECT_THROW(encoded(with_levels(Kind::category, {"red"}), Numbers{nan, 1}), InvalidInput);
}

TEST(encode, an_encoder_may_be_copied_and_outlive_the_first) {
  const auto copy = [] {
    const Encoder first = encoder_of(with_levels(Kind::category, {"a", "b"}));
    return Encoder(first);
  }();
  const ColumnTable owned = ColumnTable().texts("x", {"b"});
  Numbers values(1);
  copy.encode(0, owned.table().columns()[0], 0, values);
  EXPECT_EQ(values[0], 1);
}

}  // namespace
}  // namespace pidforest::schema
