// SPDX-License-Identifier: Apache-2.0
#include "pidforest/series.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "unit/table/column_table.h"
#include "unit/table/complaint.h"
#include "unit/table/shown_rows.h"
#include "values/span_words.h"

namespace pidforest {
namespace {

constexpr std::int64_t minute = 60'000'000;
constexpr std::size_t none = Series::none;

using Names = std::vector<std::string>;
using Places = std::vector<std::size_t>;

/// Windows of lags. The series needs its samples only while it is made.
Series series_of(const ColumnTable& owned, SeriesOptions options, const Schema& declared = {}) {
  const Table table = owned.table();
  options.views = {SeriesView::lags};
  return {table, options, declared};
}

std::string complaint_of(const ColumnTable& owned, const SeriesOptions& options, const Schema& declared = {}) {
  return complaint([&] { (void)series_of(owned, options, declared); });
}

Names names_of(const Series& series) {
  Names names;
  const Table columns = series.header();
  for (const Column& column : columns.columns()) names.push_back(column.name);
  return names;
}

/// Returns the rows of all batches, with -1 for NaN.
std::vector<Numbers> rows_of(const Series& series) {
  std::vector<Numbers> rows;
  series.for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      EXPECT_EQ(batch.columns().front().first_row + i, rows.size());
      rows.emplace_back();
      for (const Column& column : batch.columns())
        rows.back().push_back(std::isnan(column.number(i)) ? -1 : column.number(i));
    }
  });
  return rows;
}

TEST(series, a_shingle_holds_the_lags_of_each_metric_from_the_earliest_on) {
  const Series series =
      series_of(ColumnTable().numbers("cpu", {1, 2, nan, 4}).numbers("net", {10, 20, 30, 40}), {.window = 3});
  EXPECT_EQ(series.n_rows(), 2U);
  EXPECT_EQ(series.n_samples(), 4U);
  EXPECT_EQ(names_of(series), (Names{"cpu 2 samples earlier", "cpu 1 sample earlier", "cpu", "net 2 samples earlier",
                                     "net 1 sample earlier", "net"}));
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{1, 2, -1, 10, 20, 30}, {2, -1, 4, 20, 30, 40}}));
}

TEST(series, lags_are_named_by_time_where_all_steps_are_the_same) {
  const auto names = [](Times times) {
    return names_of(series_of(ColumnTable().times("t", std::move(times)).numbers("cpu", {1, 2, 3, 4}),
                              {.window = 2, .time = "t", .max_gap = 10 * minute}));
  };
  EXPECT_EQ(names({0, 5 * minute, 10 * minute, 15 * minute}), (Names{"cpu 5 min earlier", "cpu"}));
  EXPECT_EQ(names({0, 5 * minute, 100 * minute, 105 * minute}), (Names{"cpu 5 min earlier", "cpu"}));
  EXPECT_EQ(names({0, 5 * minute, 10 * minute, 16 * minute}), (Names{"cpu 1 sample earlier", "cpu"}));
  EXPECT_EQ(names({0, 0, 5 * minute, 10 * minute}), (Names{"cpu 1 sample earlier", "cpu"}));
}

TEST(series, spans_are_worded_exactly) {
  EXPECT_EQ(values::span_words(25 * minute), "25 min");
  EXPECT_EQ(values::span_words(90 * minute), "1 h 30 min");
  EXPECT_EQ(values::span_words(2880 * minute), "2 d");
  EXPECT_EQ(values::span_words(1'250'001), "1 s 250 ms 1 us");
}

TEST(series, no_shingle_crosses_a_gap) {
  const ColumnTable owned = ColumnTable()
                                .texts("at", {"2026-01-01 00:00", "2026-01-01 00:05", "2026-01-01 00:16",
                                              "2026-01-01 00:21", "2026-01-01 00:31"})
                                .numbers("x", {1, 2, 3, 4, 5});
  EXPECT_EQ(rows_of(series_of(owned, {.window = 2, .time = "at", .max_gap = 10 * minute})),
            (std::vector<Numbers>{{1, 2}, {3, 4}, {4, 5}}));
  EXPECT_EQ(series_of(owned, {.window = 2, .time = "at"}).n_rows(), 4U);
}

TEST(series, several_series_in_one_table_do_not_mix) {
  const ColumnTable owned = ColumnTable()
                                .texts("host", {"b", "a", "b", "a", "b", std::nullopt})
                                .numbers("x", {1, 10, 2, 20, 3, 7})
                                .times("t", {5, 0, 6, 1, 7, 0});
  const Series series = series_of(owned, {.window = 2, .time = "t", .by = "host"});
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{1, 2}, {2, 3}, {10, 20}}));
  EXPECT_EQ(series.shingles_of_samples(WindowAlignment::start, Numbers{1, 1, 1}), (Places{0, 2, 1, none, none, none}));
  EXPECT_EQ(series.shingles_of_samples(WindowAlignment::end, Numbers{1, 1, 1}), (Places{none, none, 0, 2, 1, none}));
}

TEST(series, a_window_knows_its_samples_and_those_around_it_in_its_segment) {
  const ColumnTable owned =
      ColumnTable().texts("host", {"a", "b", "a", "a", "b", "a"}).numbers("x", {1, 10, 2, 3, 20, 4});
  const Series series = series_of(owned, {.window = 2, .by = "host"});
  const WindowSamples middle = series.samples_of(1);
  EXPECT_EQ(middle.rows, (Places{2, 3}));
  EXPECT_EQ(middle.begin, 0U);
  const WindowSamples around = series.samples_of(1, 7);
  EXPECT_EQ(around.rows, (Places{0, 2, 3, 5}));
  EXPECT_EQ(around.begin, 1U);
  EXPECT_EQ(around.n, 2U);
  EXPECT_EQ(series.samples_of(3, 1).rows, (Places{1, 4})) << "the window of b";
  EXPECT_EQ(complaint([&] { (void)series.samples_of(4); }), "there is no window 4: the series have 4.");
}

TEST(series, numbers_tell_series_apart_as_texts_do) {
  const ColumnTable owned = ColumnTable().numbers("host", {7, 8, 7, 8}).numbers("x", {1, 10, 2, 20});
  EXPECT_EQ(rows_of(series_of(owned, {.window = 2, .by = "host"})), (std::vector<Numbers>{{1, 2}, {10, 20}}));
}

TEST(series, a_time_point_may_have_the_score_of_the_rarest_shingle_that_holds_it) {
  const Series series = series_of(ColumnTable().numbers("x", {1, 2, 3, 4, 5, 6}), {.window = 3});
  EXPECT_EQ(series.shingles_of_samples(WindowAlignment::max, Numbers{1, 5, 5, 2}), (Places{0, 1, 1, 1, 2, 3}));
  EXPECT_EQ(complaint([&] { (void)series.shingles_of_samples(WindowAlignment::max, Numbers{1}); }),
            "there must be 4 scores, one per window; got 1.");
}

TEST(series, what_is_declared_of_a_metric_holds_for_its_lags) {
  ColumnSchema wind = column_of(Kind::cyclic, "wind");
  wind.period = 360;
  const Series series = series_of(ColumnTable().numbers("wind", {1, 2}).numbers("x", {1, 2}).texts("n", {"a", "b"}),
                                  {.window = 2}, {{wind, column_of(Kind::ignored, "n")}});
  ColumnSchema earlier = wind;
  earlier.name = "wind 1 sample earlier";
  EXPECT_EQ(series.declared(), (Schema{{earlier, wind}}));
  EXPECT_EQ(series.header().n_columns(), 4U);
}

TEST(series, numbers_are_times_where_a_schema_says_their_unit) {
  const ColumnTable owned = ColumnTable().numbers("t", {0, 60, 120}).numbers("x", {1, 2, 3});
  ColumnSchema seconds = column_of(Kind::time, "t");
  seconds.epoch_unit = EpochUnit::seconds;
  EXPECT_EQ(names_of(series_of(owned, {.window = 2, .time = "t"}, {{seconds}})), (Names{"x 1 min earlier", "x"}));
  EXPECT_EQ(
      complaint_of(owned, {.window = 2, .time = "t"}),
      "column 't' must contain dates and times; got numbers. Declare it in a schema with \"kind\": \"time\" and its "
      "\"unit\".");
}

TEST(series, bad_samples_are_refused_by_row_and_column) {
  const ColumnTable back = ColumnTable()
                               .texts("at", {"2026-01-02", "2026-01-01", "2026-01-01 12:00"})
                               .numbers("x", {1, 2, 3})
                               .texts("host", {"a", "b", "a"});
  EXPECT_EQ(complaint_of(back, {.window = 1, .time = "at"}),
            "column 'host' must contain numbers to be a metric of a series; got text. Exclude it, or name it as the "
            "time column or as the series key.");
  EXPECT_EQ(complaint_of(back, {.window = 1, .time = "att"}),
            "the time column must be in the table; there is no column 'att'. Did you mean at?");
  EXPECT_EQ(complaint_of(ColumnTable().texts("at", {"2026-01-02", ""}).numbers("x", {1, 2}), {.time = "at"}),
            "row 2, column 'at': must be a date or time; got ''. Remove samples without a time.");
  EXPECT_EQ(complaint_of(ColumnTable().texts("at", {"2026-01-02", "soon"}).numbers("x", {1, 2}), {.time = "at"}),
            "row 2, column 'at': must be a date or time such as 2026-11-16 or 2026-11-16T08:30:00+01:00; got 'soon'. "
            "Leave it empty if it is missing.");
  EXPECT_EQ(complaint_of(ColumnTable().texts("at", {"2026-01-02"}), {.window = 1, .time = "at"}),
            "a series must have at least one metric (a column of numbers); it has none.");
  EXPECT_EQ(complaint_of(ColumnTable().numbers("x", {1, 2}), {.window = 1, .time = "at"}),
            "the time column must be in the table; there is no column 'at'.");
  EXPECT_EQ(complaint_of(ColumnTable().numbers("x", {1, 2}), {.window = 3}),
            "the window must be at most 2, the number of samples in the longest stretch without a gap; got 3.");
}

TEST(series, means_are_of_the_samples_of_a_segment_up_to_the_last_of_the_shingle) {
  const ColumnTable owned =
      ColumnTable().texts("h", {"a", "a", "a", "a", "b", "b"}).numbers("x", {1, 3, nan, 8, 10, 20});
  const Series series = series_of(owned, {.window = 2, .by = "h", .means = {3}});
  EXPECT_EQ(names_of(series), (Names{"x 1 sample earlier", "x", "x mean of 3 samples"}));
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{1, 3, 2}, {3, -1, 2}, {-1, 8, 5.5}, {10, 20, 15}}));
  EXPECT_EQ(names_of(series_of(ColumnTable().times("t", {0, minute}).numbers("x", {1, 2}),
                               {.window = 1, .time = "t", .means = {60}})),
            (Names{"x", "x mean over 1 h"}));
}

TEST(series, the_calendar_is_the_time_of_the_last_sample) {
  const ColumnTable owned =
      ColumnTable()
          .texts("at", {"2026-01-01T00:00+02:00", "2026-01-01T01:00+02:00", "2026-01-01T02:00+02:00"})
          .numbers("x", {1, 2, 3});
  const Series series = series_of(owned, {.window = 2, .time = "at", .calendar = true});
  EXPECT_EQ(names_of(series), (Names{"x 1 h earlier", "x", "at"}));
  constexpr double first = 1767222000;  // 2025-12-31 23:00 in UTC
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{1, 2, first}, {2, 3, first + 3600}}));
  const Schema schema = infer_schema(series, series.declared());
  EXPECT_EQ(schema.columns.back().kind, Kind::time);
  EXPECT_EQ(schema.columns.back().zone, "+02:00");
  EXPECT_EQ(schema.columns.back().epoch_unit, EpochUnit::seconds);
}

Numbers made(std::size_t n, const std::function<double(double)>& value) {
  Numbers values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(value(static_cast<double>(i)));
  return values;
}

/// Noise that is the same on every machine.
Numbers noise(std::size_t n) {
  std::mt19937_64 random(1);
  return made(n, [&](double) { return static_cast<double>(random() >> 11U) / 9007199254740992.0 - 0.5; });
}

std::size_t suggested(const ColumnTable& owned, const SeriesOptions& options = {}) {
  const Table table = owned.table();
  const SuggestedWindow window = suggest_window(table, options);
  EXPECT_TRUE(window.is_period);
  return window.window;
}

TEST(series, the_window_suggested_is_the_period) {
  const Numbers some_noise = noise(1000);
  for (const std::size_t period : {5U, 24U, 48U, 288U}) {
    const double turn = 2 * std::numbers::pi / static_cast<double>(period);
    const Numbers sine = made(1000, [&](double i) { return std::sin(turn * i); });
    EXPECT_EQ(suggested(ColumnTable().numbers("x", sine)), period);
    const Numbers with_noise_and_trend =
        made(1000, [&](double i) { return std::sin(turn * i) + some_noise[std::size_t(i)] + i / 1000; });
    EXPECT_NEAR(static_cast<double>(suggested(ColumnTable().numbers("x", with_noise_and_trend))),
                static_cast<double>(period), 0.05 * static_cast<double>(period));
  }
}

TEST(series, a_period_is_found_among_missing_values_and_several_series) {
  const Numbers values = made(900, [](double i) { return std::fmod(i, 7) == 3 ? nan : std::fmod(i, 60) < 10 ? 1 : 0; });
  Texts hosts;
  for (std::size_t i = 0; i < values.size(); ++i) hosts.emplace_back(i % 2 == 0 ? "a" : "b");
  EXPECT_EQ(suggested(ColumnTable().texts("h", hosts).numbers("x", values), {.by = "h"}), 30U);
}

TEST(series, where_nothing_comes_again_a_short_window_is_suggested) {
  const auto of_values = [](const Numbers& values) {
    const ColumnTable owned = ColumnTable().numbers("x", values);
    return suggest_window(owned.table(), {});
  };
  EXPECT_EQ(of_values(noise(500)), (SuggestedWindow{.window = 10}));
  EXPECT_EQ(of_values(made(500, [](double i) { return i; })), (SuggestedWindow{.window = 10}));
  EXPECT_EQ(of_values(made(500, [](double) { return 3; })), (SuggestedWindow{.window = 10}));
  EXPECT_EQ(of_values({1, 2, 3, 4, 5, 6}), (SuggestedWindow{.window = 3}));
  EXPECT_EQ(of_values({1}), (SuggestedWindow{.window = 1}));
}

TEST(series, unsorted_samples_are_sorted_by_time_and_counted) {
  const Series series =
      series_of(ColumnTable().times("t", {2 * minute, 0, minute, minute, 3 * minute}).numbers("x", {2, 0, 1, 11, 3}),
                {.window = 2, .time = "t"});
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{0, 1}, {1, 11}, {11, 2}, {2, 3}}));
  EXPECT_EQ(series.order(), (SampleOrder{.n_late = 3, .n_set_back = 0, .n_repeated = 1}));
  EXPECT_EQ(series.shingles_of_samples(WindowAlignment::end, std::vector<double>(4)), (Places{2, none, 0, 1, 3}));
}

TEST(series, samples_from_the_latest_to_the_earliest_are_sorted) {
  Times times;
  Numbers values;
  for (std::int64_t i = 40; i > 0; --i) {
    times.push_back(i * minute);
    values.push_back(static_cast<double>(i));
  }
  const Series series = series_of(ColumnTable().times("t", times).numbers("x", values), {.window = 2, .time = "t"});
  EXPECT_EQ(rows_of(series).front(), (Numbers{1, 2}));
  EXPECT_EQ(rows_of(series).back(), (Numbers{39, 40}));
  EXPECT_EQ(series.order(), (SampleOrder{.n_late = 39}));
}

TEST(series, a_clock_that_was_set_back_begins_a_segment_and_its_hour_is_not_mixed_with_the_one_before) {
  Times times;
  Numbers values;
  for (std::int64_t i = 0; i < 30; ++i) times.push_back(i * minute);
  for (std::int64_t i = 10; i < 50; ++i) times.push_back(i * minute);
  for (std::size_t i = 0; i < times.size(); ++i) values.push_back(static_cast<double>(i));
  const Series series = series_of(ColumnTable().times("t", times).numbers("x", values), {.window = 2, .time = "t"});
  EXPECT_EQ(series.order(), (SampleOrder{.n_set_back = 1}));
  EXPECT_EQ(series.n_rows(), 29U + 39U);
  for (const Numbers& row : rows_of(series)) EXPECT_EQ(row[1] - row[0], 1);
}

TEST(series, an_hour_that_a_clock_has_twice_is_not_mixed) {
  Times times;
  for (std::int64_t i = 0; i < 12; ++i) times.push_back(15 * i * minute);
  for (std::int64_t i = 8; i < 40; ++i) times.push_back(15 * i * minute);
  const Numbers values(times.size(), 1);
  EXPECT_EQ(series_of(ColumnTable().times("t", times).numbers("x", values), {.window = 2, .time = "t"}).order(),
            (SampleOrder{.n_set_back = 1}));
}

TEST(series, samples_that_come_late_are_sorted_and_begin_no_segment) {
  Times times;
  for (std::int64_t i = 0; i < 50; ++i) times.push_back(i * minute);
  std::rotate(times.begin() + 20, times.begin() + 23, times.begin() + 30);
  std::swap(times[5], times[6]);
  const Numbers values(times.size(), 1);
  EXPECT_EQ(series_of(ColumnTable().times("t", times).numbers("x", values), {.window = 2, .time = "t"}).order(),
            (SampleOrder{.n_late = 4}));
}

TEST(series, each_series_is_put_in_order_by_itself) {
  const Series series = series_of(ColumnTable()
                                      .texts("host", {"b", "a", "b", "a"})
                                      .times("t", {minute, minute, 0, 2 * minute})
                                      .numbers("x", {1, 2, 3, 4}),
                                  {.window = 2, .time = "t", .by = "host"});
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{3, 1}, {2, 4}}));
  EXPECT_EQ(series.order(), (SampleOrder{.n_late = 1}));
}

TEST(series, options_that_make_no_sense_are_refused) {
  const ColumnTable owned = ColumnTable().numbers("x", {1, 2});
  EXPECT_THROW((void)series_of(owned, {.window = 0}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .max_gap = 1}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .calendar = true}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .means = {1}}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .time = "x", .max_gap = -1}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .time = "x", .by = "x"}), InvalidOption);
}

}  // namespace
}  // namespace pidforest
