// SPDX-License-Identifier: Apache-2.0
#include "pidforest/series.h"

#include <gtest/gtest.h>

#include <cmath>

#include "complaint.h"
#include "data/span_words.h"
#include "owned_table.h"
#include "shown_rows.h"

namespace pidforest {
namespace {

constexpr std::int64_t minute = 60'000'000;
constexpr std::size_t none = Series::none;

using Names = std::vector<std::string>;
using Places = std::vector<std::size_t>;

/// A series that needs its samples during its making only.
Series series_of(const OwnedTable& owned, const SeriesOptions& options, const Schema& declared = {}) {
  const Table table = owned.table();
  return {TableBatches(table), options, declared};
}

std::string complaint_of(const OwnedTable& owned, const SeriesOptions& options, const Schema& declared = {}) {
  return complaint([&] { (void)series_of(owned, options, declared); });
}

Names names_of(const Series& series) {
  Names names;
  const Table columns = series.columns();
  for (const Column& column : columns.columns()) names.push_back(column.name);
  return names;
}

/// The rows of all batches; NaN as -1.
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
      series_of(OwnedTable().numbers("cpu", {1, 2, nan, 4}).numbers("net", {10, 20, 30, 40}), {.window = 3});
  EXPECT_EQ(series.n_rows(), 2U);
  EXPECT_EQ(series.n_samples(), 4U);
  EXPECT_EQ(names_of(series), (Names{"cpu 2 samples earlier", "cpu 1 sample earlier", "cpu", "net 2 samples earlier",
                                     "net 1 sample earlier", "net"}));
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{1, 2, -1, 10, 20, 30}, {2, -1, 4, 20, 30, 40}}));
}

TEST(series, lags_are_named_by_time_where_all_steps_are_the_same) {
  const auto names = [](Times times) {
    return names_of(series_of(OwnedTable().times("t", std::move(times)).numbers("cpu", {1, 2, 3, 4}),
                              {.window = 2, .time = "t", .max_gap = 10 * minute}));
  };
  EXPECT_EQ(names({0, 5 * minute, 10 * minute, 15 * minute}), (Names{"cpu 5 min earlier", "cpu"}));
  EXPECT_EQ(names({0, 5 * minute, 100 * minute, 105 * minute}), (Names{"cpu 5 min earlier", "cpu"}));
  EXPECT_EQ(names({0, 5 * minute, 10 * minute, 16 * minute}), (Names{"cpu 1 sample earlier", "cpu"}));
  EXPECT_EQ(names({0, 0, 5 * minute, 10 * minute}), (Names{"cpu 1 sample earlier", "cpu"}));
}

TEST(series, spans_are_worded_exactly) {
  EXPECT_EQ(data::span_words(25 * minute), "25 min");
  EXPECT_EQ(data::span_words(90 * minute), "1 h 30 min");
  EXPECT_EQ(data::span_words(2880 * minute), "2 d");
  EXPECT_EQ(data::span_words(1'250'001), "1 s 250 ms 1 us");
}

TEST(series, no_shingle_crosses_a_gap) {
  const OwnedTable owned = OwnedTable()
                               .texts("at", {"2026-01-01 00:00", "2026-01-01 00:05", "2026-01-01 00:16",
                                             "2026-01-01 00:21", "2026-01-01 00:31"})
                               .numbers("x", {1, 2, 3, 4, 5});
  EXPECT_EQ(rows_of(series_of(owned, {.window = 2, .time = "at", .max_gap = 10 * minute})),
            (std::vector<Numbers>{{1, 2}, {3, 4}, {4, 5}}));
  EXPECT_EQ(series_of(owned, {.window = 2, .time = "at"}).n_rows(), 4U);
}

TEST(series, several_series_in_one_table_do_not_mix) {
  const OwnedTable owned = OwnedTable()
                               .texts("host", {"b", "a", "b", "a", "b", std::nullopt})
                               .numbers("x", {1, 10, 2, 20, 3, 7})
                               .times("t", {5, 0, 6, 1, 7, 0});
  const Series series = series_of(owned, {.window = 2, .time = "t", .by = "host"});
  EXPECT_EQ(rows_of(series), (std::vector<Numbers>{{1, 2}, {2, 3}, {10, 20}}));
  EXPECT_EQ(series.shingles_of_samples(Align::start, Numbers{1, 1, 1}), (Places{0, 2, 1, none, none, none}));
  EXPECT_EQ(series.shingles_of_samples(Align::end, Numbers{1, 1, 1}), (Places{none, none, 0, 2, 1, none}));
}

TEST(series, numbers_tell_series_apart_as_texts_do) {
  const OwnedTable owned = OwnedTable().numbers("host", {7, 8, 7, 8}).numbers("x", {1, 10, 2, 20});
  EXPECT_EQ(rows_of(series_of(owned, {.window = 2, .by = "host"})), (std::vector<Numbers>{{1, 2}, {10, 20}}));
}

TEST(series, a_time_point_may_have_the_score_of_the_rarest_shingle_that_holds_it) {
  const Series series = series_of(OwnedTable().numbers("x", {1, 2, 3, 4, 5, 6}), {.window = 3});
  EXPECT_EQ(series.shingles_of_samples(Align::max, Numbers{1, 5, 5, 2}), (Places{0, 1, 1, 1, 2, 3}));
  EXPECT_EQ(complaint([&] { (void)series.shingles_of_samples(Align::max, Numbers{1}); }),
            "there must be 4 scores, one per shingle; got 1.");
}

TEST(series, what_is_declared_of_a_metric_holds_for_its_lags) {
  ColumnSchema wind = column_of(Kind::cyclic, "wind");
  wind.period = 360;
  const Series series = series_of(OwnedTable().numbers("wind", {1, 2}).numbers("x", {1, 2}).texts("n", {"a", "b"}),
                                  {.window = 2}, {{wind, column_of(Kind::ignored, "n")}});
  ColumnSchema earlier = wind;
  earlier.name = "wind 1 sample earlier";
  EXPECT_EQ(series.declared(), (Schema{{earlier, wind}}));
  EXPECT_EQ(series.columns().n_columns(), 4U);
}

TEST(series, numbers_are_times_where_a_schema_says_their_unit) {
  const OwnedTable owned = OwnedTable().numbers("t", {0, 60, 120}).numbers("x", {1, 2, 3});
  ColumnSchema seconds = column_of(Kind::time, "t");
  seconds.epoch_unit = EpochUnit::seconds;
  EXPECT_EQ(names_of(series_of(owned, {.window = 2, .time = "t"}, {{seconds}})), (Names{"x 1 min earlier", "x"}));
  EXPECT_EQ(complaint_of(owned, {.window = 2, .time = "t"}),
            "column 't' must hold dates and times; got numbers. Declare it in a schema with \"kind\": \"time\" and "
            "epoch_unit.");
}

TEST(series, bad_samples_are_refused_by_row_and_column) {
  const OwnedTable back = OwnedTable()
                              .texts("at", {"2026-01-02", "2026-01-01", "2026-01-01 12:00"})
                              .numbers("x", {1, 2, 3})
                              .texts("host", {"a", "b", "a"});
  const Schema without_host{{column_of(Kind::ignored, "host")}};
  EXPECT_EQ(complaint_of(back, {.window = 1, .time = "at"}, without_host),
            "row 2, column 'at': must not be before row 1 of the same series, 2026-01-02 00:00; got 2026-01-01 00:00 "
            "(UTC). Sort the rows by time, or name the column that tells several series apart.");
  EXPECT_EQ(complaint_of(back, {.window = 1, .time = "at", .by = "host"}),
            "row 3, column 'at': must not be before row 1 of the same series, 2026-01-02 00:00; got 2026-01-01 12:00 "
            "(UTC). Sort the rows by time.");
  EXPECT_EQ(complaint_of(back, {.window = 1, .time = "at"}),
            "column 'host' must hold numbers to be a metric of a series; got texts. Leave it out, or name it as the "
            "column of times or as the one that tells series apart.");
  EXPECT_EQ(complaint_of(OwnedTable().texts("at", {"2026-01-02", ""}).numbers("x", {1, 2}), {.time = "at"}),
            "row 2, column 'at': must be a date or time; got ''. Leave out samples without a time.");
  EXPECT_EQ(complaint_of(OwnedTable().texts("at", {"2026-01-02", "soon"}).numbers("x", {1, 2}), {.time = "at"}),
            "row 2, column 'at': must be a date or time such as 2026-11-16 or 2026-11-16T08:30:00+01:00; got 'soon'. "
            "Leave it empty if it is missing.");
  EXPECT_EQ(complaint_of(OwnedTable().texts("at", {"2026-01-02"}), {.window = 1, .time = "at"}),
            "a series must have a metric, a column of numbers; it has none.");
  EXPECT_EQ(complaint_of(OwnedTable().numbers("x", {1, 2}), {.window = 1, .time = "at"}),
            "the column of times must be a column of the table; there is no 'at'.");
  EXPECT_EQ(complaint_of(OwnedTable().numbers("x", {1, 2}), {.window = 3}),
            "the window must be at most 2, the samples of the longest stretch without a gap; got 3.");
}

TEST(series, options_that_make_no_sense_are_refused) {
  const OwnedTable owned = OwnedTable().numbers("x", {1, 2});
  EXPECT_THROW((void)series_of(owned, {.window = 0}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .max_gap = 1}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .time = "x", .max_gap = -1}), InvalidOption);
  EXPECT_THROW((void)series_of(owned, {.window = 1, .time = "x", .by = "x"}), InvalidOption);
}

}  // namespace
}  // namespace pidforest
