// SPDX-License-Identifier: Apache-2.0
// The columns of windows by their views: rises, means and deviations, and values minus what is usual.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/series.h"
#include "series/moments.h"
#include "series/season.h"
#include "unit/table/column_table.h"
#include "unit/table/complaint.h"

namespace pidforest {
namespace {

using Names = std::vector<std::string>;
constexpr std::int64_t hour_us = 3'600'000'000;

Names names_in(const Batches& batches) {
  Names names;
  const Table header = batches.header();
  for (const Column& column : header.columns()) names.push_back(column.name);
  return names;
}

/// All values of a column, over all batches.
Numbers values_in(const Batches& batches, const std::string& name) {
  Numbers values;
  batches.for_each([&](const Table& batch) {
    for (const Column& column : batch.columns())
      for (std::size_t row = 0; row < batch.n_rows() && column.name == name; ++row)
        values.push_back(column.number(row));
  });
  return values;
}

std::vector<std::string> views_in(const Schema& schema, const std::string& name) {
  const auto found = std::ranges::find(schema.columns, name, &ColumnSchema::name);
  return found == schema.columns.end() ? Names{"no such column"} : found->views;
}

/// Samples each half hour for some days. The value is the hour of the day, 100 more on Mondays.
ColumnTable busy_mondays(int days, double extra = 0) {
  Times times;
  Numbers values;
  for (int i = 0; i < 48 * days; ++i) {
    times.push_back(i * hour_us / 2 + 4 * 24 * hour_us);  // 5 January 1970 was a Monday
    values.push_back(i % 48 / 2 + (i / 48 % 7 == 0 ? 100 : 0) + extra);
  }
  return ColumnTable().times("t", times).numbers("load", values);
}

TEST(WindowViews, one_metric_without_times_has_lags_and_four_scales) {
  const ColumnTable owned = ColumnTable().numbers("x", {1, 2, 3});
  const Series series(owned.table(), {.window = 2});
  EXPECT_EQ(names_in(series), (Names{"x 1 sample earlier", "x", "mean of x over the last 4 samples",
                                     "deviation of x over the last 4 samples", "mean of x over the last 16 samples",
                                     "deviation of x over the last 16 samples", "mean of x over the last 64 samples",
                                     "deviation of x over the last 64 samples", "mean of x over the last 256 samples",
                                     "deviation of x over the last 256 samples"}));
  EXPECT_EQ(views_in(series.declared(), "x"), (Names{"lags"}));
  EXPECT_EQ(views_in(series.declared(), "mean of x over the last 4 samples"), (Names{"scales"}));
}

TEST(WindowViews, several_metrics_have_two_scales_and_a_last_value_that_is_in_two_views_is_there_once) {
  const ColumnTable owned = ColumnTable().numbers("x", Numbers(9, 1)).numbers("y", Numbers(9, 1));
  const Series series(owned.table(), {.window = 3, .views = {SeriesView::lags, SeriesView::changes}});
  EXPECT_EQ(names_in(series),
            (Names{"x 2 samples earlier", "x 1 sample earlier", "x", "y 2 samples earlier", "y 1 sample earlier", "y",
                   "rise of x within 1 sample", "rise of x within 2 samples", "rise of y within 1 sample",
                   "rise of y within 2 samples"}));
  EXPECT_EQ(views_in(series.declared(), "y"), (Names{"lags", "changes"}));
  EXPECT_EQ(names_in(Series(owned.table(), {.window = 1, .views = {SeriesView::scales}})).size(), 8U);
}

TEST(WindowViews, rises_means_and_deviations_are_those_up_to_the_last_sample) {
  const ColumnTable owned = ColumnTable().numbers("x", {1, 5, 3, 7, 4, 4}).numbers("y", Numbers(6, 0.1));
  const Series series(owned.table(), {.window = 3, .views = {SeriesView::changes, SeriesView::scales}});
  EXPECT_EQ(values_in(series, "rise of x within 2 samples"), (Numbers{2, 2, 1, -3}));
  const Numbers means = values_in(series, "mean of x over the last 8 samples");
  EXPECT_TRUE(std::isnan(means[0]));  // until half of the samples are there
  EXPECT_EQ(Numbers(means.begin() + 1, means.end()), (Numbers{4, 4, 4}));
  EXPECT_DOUBLE_EQ(values_in(series, "deviation of x over the last 8 samples")[1], std::sqrt(5));
  EXPECT_EQ(values_in(series, "deviation of y over the last 8 samples")[3], 0);
}

TEST(WindowViews, moments_are_those_of_the_present_values_unless_more_than_half_are_not_there) {
  const Numbers values{4, nan, 8, 6, nan, nan, nan};
  std::vector<series::SpanMoments> moments(2);
  const std::vector<std::size_t> spans{2, 4};
  series::moments_of_last(&values[3], 3, spans, moments);
  EXPECT_EQ(moments[0].mean, 7);
  EXPECT_EQ(moments[0].deviation, 1);
  EXPECT_EQ(moments[1].mean, 6);
  series::moments_of_last(&values[4], 4, spans, moments);
  EXPECT_EQ(moments[0].mean, 6);
  series::moments_of_last(&values[6], 6, spans, moments);
  EXPECT_TRUE(std::isnan(moments[0].mean));
  EXPECT_TRUE(std::isnan(moments[1].deviation));
}

TEST(WindowViews, moments_do_not_depend_on_samples_before_their_span) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(1e6, 1);
  Numbers values(400);
  for (double& x : values) x = normal(random);
  const std::vector<std::size_t> spans{8, 64};
  std::vector<series::SpanMoments> all(2);
  std::vector<series::SpanMoments> few(2);
  series::moments_of_last(&values[399], 399, spans, all);
  series::moments_of_last(&values[399], 63, spans, few);
  EXPECT_EQ(all[1].deviation, few[1].deviation);
  double sum = 0;
  for (std::size_t i = 392; i < 400; ++i) sum += values[i];
  EXPECT_NEAR(all[0].mean, sum / 8, 1e-9);
  double squares = 0;
  for (std::size_t i = 392; i < 400; ++i) squares += (values[i] - sum / 8) * (values[i] - sum / 8);
  EXPECT_NEAR(all[0].deviation, std::sqrt(squares / 8), 1e-9);
}

TEST(WindowViews, three_weeks_show_what_is_usual_at_a_half_hour_of_the_week) {
  const ColumnTable owned = busy_mondays(22);
  const Series series(owned.table(), {.window = 2, .time = "t"});
  EXPECT_EQ(names_in(series).front(), "load minus usual 30 min earlier");
  EXPECT_EQ(names_in(series)[2], "mean of load minus usual over the last 2 h");
  EXPECT_EQ(values_in(series, "load minus usual"), Numbers(22 * 48 - 1, 0));
  EXPECT_EQ(views_in(series.declared(), "load minus usual"), (Names{"residual lags"}));
}

TEST(WindowViews, three_days_show_what_is_usual_at_a_half_hour_of_the_day_and_less_shows_nothing) {
  const ColumnTable four_days = busy_mondays(4);
  const Numbers values = values_in(Series(four_days.table(), {.window = 1, .time = "t"}), "load minus usual");
  EXPECT_EQ(values.front(), 100);
  EXPECT_EQ(values.back(), 0);
  const ColumnTable two_days = busy_mondays(2);
  EXPECT_EQ(names_in(Series(two_days.table(), {.window = 1, .time = "t"})).front(), "load");
}

TEST(WindowViews, half_hours_are_those_of_the_zone_and_a_missing_value_does_not_change_what_is_usual) {
  const ColumnSchema berlin{.name = "t", .kind = Kind::time, .zone = "Europe/Berlin"};
  const Times times{0, hour_us, -hour_us};
  EXPECT_EQ(series::half_hours(times, berlin, 48), (std::vector<std::uint16_t>{2, 4, 0}));
  EXPECT_EQ(series::half_hours(times, berlin, 336), (std::vector<std::uint16_t>{146, 148, 144}));  // a Thursday
  const std::vector<std::uint16_t> cells{0, 0, 0, 1};
  EXPECT_EQ(series::usual_values(Numbers{1, nan, 4, 9}, cells, 48)[0], 2.5);
  EXPECT_EQ(series::usual_values(Numbers{1, nan, 4, 9}, cells, 48)[7], 4);
  EXPECT_TRUE(series::usual_values(Numbers{nan}, std::vector<std::uint16_t>{0}, 48).empty());
}

TEST(WindowViews, later_windows_are_made_by_the_recipe_of_the_fit) {
  const ColumnTable fitted = busy_mondays(22);
  const ColumnTable later = busy_mondays(2, 7);
  const Schema schema = Series(fitted.table(), {.window = 2, .time = "t"}).declared();
  const Series series = Series::as_fitted(later.table(), *schema.windows);
  EXPECT_EQ(values_in(series, "load minus usual"), Numbers(2 * 48 - 1, 7));
  EXPECT_EQ(series.declared(), schema);
  EXPECT_EQ(parse_schema(to_json(schema)), schema);
}

TEST(WindowViews, samples_that_do_not_fit_the_recipe_are_refused_and_further_columns_are_not_used) {
  const ColumnTable fitted = ColumnTable().times("t", {0, hour_us, 2 * hour_us}).numbers("x", {1, 2, 3});
  const WindowRecipe recipe = *Series(fitted.table(), {.window = 2, .time = "t"}).declared().windows;
  const ColumnTable slower = ColumnTable().times("t", {0, 2 * hour_us, 4 * hour_us}).numbers("x", {1, 2, 3});
  EXPECT_EQ(complaint([&] { (void)Series::as_fitted(slower.table(), recipe); }),
            "the samples must be 1 h apart, as those of the fit were; got a step of 2 h.");
  const ColumnTable other = ColumnTable().times("t", {0, hour_us}).numbers("y", {1, 2});
  EXPECT_EQ(complaint([&] { (void)Series::as_fitted(other.table(), recipe); }),
            "a metric of the model's windows must be in the table; there is no column 'x'.");
  const ColumnTable more =
      ColumnTable().texts("note", {"a", "b", "c"}).times("t", {0, hour_us, 2 * hour_us}).numbers("x", {1, 2, 3});
  EXPECT_EQ(Series::as_fitted(more.table(), recipe).n_rows(), 2U);
}

TEST(WindowViews, a_metric_that_is_no_line_of_numbers_has_lags_only_and_its_last_value_is_in_all_views) {
  const ColumnTable owned = ColumnTable().numbers("x", {1, 2, 3}).booleans("on", {0, 1, 1});
  const Series series(owned.table(), {.window = 2});
  const Schema declared = series.declared();
  EXPECT_EQ(views_in(declared, "on"), Names{});
  EXPECT_EQ(views_in(declared, "on 1 sample earlier"), (Names{"lags"}));
  EXPECT_EQ(std::ranges::count_if(names_in(series),
                                  [](const std::string& name) { return name.find(" of on ") != std::string::npos; }),
            0);
}

TEST(WindowViews, a_metric_that_appears_late_and_a_burst_of_missing_values_have_a_score_everywhere) {
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Numbers late(600, nan);
  Numbers steady(600);
  for (std::size_t i = 0; i < 600; ++i) {
    steady[i] = i >= 300 && i < 350 ? nan : normal(random);
    if (i >= 200) late[i] = normal(random);
  }
  steady[500] = 30;
  const ColumnTable owned =
      ColumnTable().numbers("late", late).numbers("steady", steady).numbers("never", Numbers(600, nan));
  const Series series(owned.table(), {.window = 4});
  const Model model = Model::fit(series, infer_schema(series, series.declared()));
  const std::vector<double> bits = model.score(series);
  EXPECT_TRUE(std::ranges::all_of(bits, [](double b) { return std::isfinite(b); }));
  const auto top = std::ranges::max_element(bits) - bits.begin();
  EXPECT_GE(top, 497);
  EXPECT_LE(top, 500);
}

TEST(WindowViews, rises_are_told_in_words) {
  const Schema schema{.columns = {{.name = "rise of latency within 10 min", .unit = "ms", .rise_of = "latency"}}};
  const auto words = [&](double low, double high) {
    return to_words(
        Condition{
            .column = "rise of latency within 10 min", .shape = Condition::Shape::range, .low = low, .high = high},
        schema);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(words(120, infinity), "latency rose by at least 120 ms within 10 min");
  EXPECT_EQ(words(-infinity, -3), "latency fell by more than 3 ms within 10 min");
  EXPECT_EQ(words(2, 5), "latency rose by 2 to 5 ms within 10 min");
  EXPECT_EQ(words(-5, 2), "-5 <= rise of latency within 10 min < 2 ms");
  const Numbers fall{-7};
  const Table row(1, {{"rise of latency within 10 min", fall.data()}});
  const Witness witness{
      .conditions = {{.column = "rise of latency within 10 min", .shape = Condition::Shape::range, .high = -3}}};
  EXPECT_EQ(own_values(witness, row, 0, schema), (Names{"latency fell by 7 ms within 10 min"}));
}

TEST(WindowViews, names_of_views_are_checked) {
  const auto complaint_of_views = [](std::string_view names) {
    try {
      (void)series_views(names);
    } catch (const InvalidOption& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(series_views("scales,lags"), (std::vector{SeriesView::scales, SeriesView::lags}));
  EXPECT_EQ(complaint_of_views("lags,all"),
            "each of the views must be one of lags, changes, scales, residual; got 'all'.");
  EXPECT_EQ(complaint_of_views("lags,lags"), "the views must differ; got lags twice.");
  EXPECT_EQ(complaint_of_views(""), "each of the views must be one of lags, changes, scales, residual; got ''.");
}

/// Rows of two hosts that alternate, with a text column.
ColumnTable two_hosts() {
  return ColumnTable()
      .times("t", {0, 0, 1, 1, 2, 2, 100, 100})
      .texts("host", {"a", "b", "a", "b", "a", "b", "a", "b"})
      .numbers("x", {1, 10, 2, 30, 4, 60, 8, 100})
      .numbers("y", Numbers(8, 5));
}

TEST(Context, rows_get_rises_and_scales_of_their_own_series) {
  const ColumnTable owned = two_hosts();
  const Table rows = owned.table();
  const Context context(rows, infer_schema(rows), {.time = "t", .by = "host"});
  EXPECT_EQ(values_in(context, "x"), (Numbers{1, 10, 2, 30, 4, 60, 8, 100}));
  const Numbers rises = values_in(context, "rise of x within 2 samples");
  EXPECT_TRUE(std::isnan(rises[3]));
  EXPECT_EQ(Numbers(rises.begin() + 4, rises.end()), (Numbers{3, 50, 6, 70}));
  EXPECT_DOUBLE_EQ(values_in(context, "mean of x over the last 8 samples")[7], 50);
  EXPECT_EQ(views_in(context.schema(), "x"), (Names{"rows", "changes"}));
  EXPECT_EQ(views_in(context.schema(), "mean of y over the last 8 samples"), (Names{"scales"}));
}

TEST(Context, after_a_gap_there_is_no_context_and_the_recipe_makes_later_rows) {
  const ColumnTable owned = two_hosts();
  const Table rows = owned.table();
  const Context context(rows, infer_schema(rows), {.time = "t", .by = "host", .max_gap = 10});
  const Numbers rises = values_in(context, "rise of x within 1 us");
  ASSERT_EQ(rises.size(), 8U);
  EXPECT_TRUE(std::isnan(rises[6]));
  EXPECT_EQ(rises[5], 30);
  const Context again(rows, context.schema());
  EXPECT_EQ(names_in(again), names_in(context));
  const std::string rise = "rise of x within 2 us";
  EXPECT_EQ(values_in(again, rise)[4], values_in(context, rise)[4]);
}

TEST(Context, the_size_of_batches_changes_nothing) {
  const ColumnTable owned = two_hosts();
  const Table rows = owned.table();
  TableStore store({.batch_rows = 3});
  for (std::size_t row = 0; row < rows.n_rows(); ++row) store.append(rows.rows(row, row + 1));
  const Schema schema = infer_schema(rows);
  const Context context(rows, schema, {.time = "t", .by = "host"});
  const Context in_batches(store, schema, {.time = "t", .by = "host"});
  const std::string name = "mean of y over the last 8 samples";
  EXPECT_EQ(values_in(in_batches, name).back(), 5);
  EXPECT_EQ(values_in(in_batches, name).back(), values_in(context, name).back());
}

TEST(Context, of_rows_in_any_order_is_that_of_the_order_of_time) {
  constexpr std::size_t n = 40;
  std::vector<std::size_t> places(n);
  for (std::size_t i = 0; i < n; ++i) places[i] = i * 17 % n;
  std::vector<std::int64_t> times(n);
  std::vector<double> x(n);
  std::vector<std::optional<std::string>> hosts(n);
  const auto fill = [&](const auto& row_at) -> ColumnTable {
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t row = row_at(i);
      times[i] = static_cast<std::int64_t>(row / 2 + (row > 20 ? 5 : 0)) * hour_us;
      x[i] = std::sin(static_cast<double>(row * row));
      hosts[i] = row % 2 == 0 ? "a" : "b";
    }
    return ColumnTable().times("t", times).numbers("x", x).texts("host", hosts);
  };
  const ContextOptions options{.time = "t", .by = "host", .max_gap = 3 * hour_us};
  const ColumnTable in_order = fill([](std::size_t i) { return i; });
  const Table rows = in_order.table();
  const Schema schema = infer_schema(rows);
  const Context expected(rows, schema, options);
  EXPECT_EQ(expected.order().n_late, 0U);
  const ColumnTable shuffled = fill([&](std::size_t i) { return places[i]; });
  const Table other_rows = shuffled.table();
  TableStore in_batches({.batch_rows = 7});
  for (std::size_t row = 0; row < n; ++row) in_batches.append(other_rows.rows(row, row + 1));
  const Context found(in_batches, schema, options);
  const Context as_fitted(other_rows, expected.schema());
  EXPECT_EQ(found.order().n_late, 35U);
  EXPECT_EQ(found.schema(), expected.schema());
  for (const ColumnSchema& column : expected.schema().columns) {
    if (column.name == "t" || column.name == "host") continue;
    const std::vector<double> sorted = values_in(expected, column.name);
    const std::vector<double> own = values_in(found, column.name);
    const std::vector<double> own_as_fitted = values_in(as_fitted, column.name);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_TRUE(own[i] == sorted[places[i]] || (std::isnan(own[i]) && std::isnan(sorted[places[i]]))) << column.name;
      EXPECT_TRUE(own[i] == own_as_fitted[i] || std::isnan(own[i]));
    }
  }
}

TEST(Context, tables_without_numbers_are_refused) {
  const auto complaint_of_context = [](const ColumnTable& owned) {
    const Table rows = owned.table();
    return complaint([&] { (void)Context(rows, infer_schema(rows), {.time = "t"}); });
  };
  EXPECT_EQ(complaint_of_context(ColumnTable().times("t", {0, 1}).texts("c", {"a", "b"})),
            "context requires a column of numbers; the table has none.");
}

}  // namespace
}  // namespace pidforest
