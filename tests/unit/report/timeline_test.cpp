// SPDX-License-Identifier: Apache-2.0
#include "report/timeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <utility>

#include "pidforest/table.h"
#include "unit/table/column_table.h"
#include "unit/table/complaint.h"
#include "unit/values/clock.h"
#include "values/span_words.h"

namespace pidforest::report {
namespace {

using values::day;
using values::hour;
using values::midnight;
using values::minute;
using values::second;

constexpr std::size_t none = ReportData::none;
constexpr std::size_t n_hours = 168;  // of a week
using Words = std::vector<std::string>;
using Counts = std::vector<std::uint64_t>;

/// Rows of a table; by default all have a score of 1 and none is an anomaly.
struct Rows {
  explicit Rows(ColumnTable columns)
      : owned(std::move(columns)), table(owned.table()), bits(table.n_rows(), 1), anomalies(table.n_rows(), false) {}

  Rows& anomaly(std::size_t row, double its_bits) {
    bits[row] = its_bits;
    anomalies[row] = true;
    return *this;
  }
  Rows& list(Counts rows) {
    listed = std::move(rows);
    return *this;
  }

  [[nodiscard]] Timeline timeline(const Batches& batches) const {
    Timeline timeline{
        .rows = batches, .bits = bits, .anomalies = anomalies, .listed = listed, .time = column_of(Kind::time, "t")};
    for (const Column& column : table.columns())
      if (column.name != "t" && column.name != "host")
        timeline.metrics.push_back(column_of(Kind::continuous, column.name));
    return timeline;
  }
  [[nodiscard]] ReportData::Series drawn(std::string by = {}, std::size_t most_numbers = 150'000) const {
    Timeline what = timeline(table);
    what.by = std::move(by);
    what.most_numbers = most_numbers;
    return timeline_of(what);
  }

  ColumnTable owned;
  Table table;
  std::vector<double> bits;
  std::vector<bool> anomalies;
  Counts listed = {};
};

/// Replaces NaN by -1.
Numbers plain(Numbers values) {
  for (double& value : values)
    if (std::isnan(value)) value = -1;
  return values;
}

/// Rows at intervals of one minute, starting in 1970.
Rows every_minute(std::size_t n) {
  Times times;
  Numbers values;
  for (std::size_t i = 0; i < n; ++i) {
    times.push_back(static_cast<std::int64_t>(i) * minute);
    values.push_back(static_cast<double>(i % 7));
  }
  return Rows(ColumnTable().times("t", times).numbers("cpu", values));
}

TEST(timeline, few_rows_are_moments_in_the_order_of_time_whatever_theirs) {
  const auto series = Rows(ColumnTable().times("t", {3 * minute, minute, 2 * minute}).numbers("cpu", {3, nan, 2}))
                          .anomaly(2, 9)
                          .drawn();
  ASSERT_EQ(series.tracks.size(), 1U);
  const ReportData::Track& track = series.tracks[0];
  EXPECT_EQ(track.times, (Numbers{60, 120, 180}));
  EXPECT_EQ(track.scores, (Numbers{1, 9, 1}));
  EXPECT_EQ(plain(track.metrics.at(0).mean), (Numbers{-1, 2, 3}));
  EXPECT_TRUE(track.metrics[0].low.empty());
  EXPECT_TRUE(track.metrics[0].high.empty());
  EXPECT_EQ(track.key, "");
  EXPECT_EQ(track.n_rows, 3U);
  EXPECT_EQ(series.moment_words, "");
  EXPECT_EQ(series.notes, Words{});
}

TEST(timeline, dates_are_written_without_a_clock) {
  const Rows rows(ColumnTable().times("t", {0, 2 * day}).numbers("cpu", {1, 2}));
  Timeline what = rows.timeline(rows.table);
  EXPECT_EQ(timeline_of(what).last_time.substr(10), " 00:00");
  what.has_clock = false;
  EXPECT_EQ(timeline_of(what).last_time.size(), 10U);
  EXPECT_FALSE(timeline_of(what).has_clock);
}

TEST(timeline, rows_of_the_same_time_are_one_moment) {
  const auto series = Rows(ColumnTable().times("t", {0, minute, 0}).numbers("cpu", {1, 5, 2})).drawn();
  const ReportData::Metric& metric = series.tracks.at(0).metrics.at(0);
  EXPECT_EQ(series.tracks[0].times, (Numbers{0, 60}));
  EXPECT_EQ(metric.low, (Numbers{1, 5}));
  EXPECT_EQ(metric.mean, (Numbers{1.5, 5}));
  EXPECT_EQ(metric.high, (Numbers{2, 5}));
  EXPECT_EQ(series.moment_words, "each point summarizes all rows of its time");
}

TEST(timeline, a_gap_breaks_the_line_once) {
  const auto series = Rows(ColumnTable()
                               .times("t", {0, minute, 2 * minute, 3 * minute, 13 * minute, 14 * minute})
                               .numbers("cpu", {1, 2, 3, 4, 5, 6}))
                          .drawn();
  const ReportData::Track& track = series.tracks.at(0);
  EXPECT_EQ(track.times, (Numbers{0, 60, 120, 180, 480, 780, 840}));
  EXPECT_EQ(plain(track.metrics.at(0).mean), (Numbers{1, 2, 3, 4, -1, 5, 6}));
  EXPECT_EQ(plain(track.scores), (Numbers{1, 1, 1, 1, -1, 1, 1}));
}

TEST(timeline, anomalies_with_one_row_between_them_are_one_span) {
  const auto series = every_minute(20).anomaly(3, 5).anomaly(5, 7).anomaly(9, 6).list({9, 17, 5}).drawn();
  const auto& spans = series.tracks.at(0).spans;
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].from, 180);
  EXPECT_EQ(spans[0].to, 360);
  EXPECT_EQ(spans[0].n_anomalies, 2U);
  EXPECT_EQ(spans[0].bits, 7);
  EXPECT_EQ(spans[0].row, 2U);
  EXPECT_EQ(spans[1].from, 540);
  EXPECT_EQ(spans[1].to, 600);
  EXPECT_EQ(spans[1].row, 0U);
}

TEST(timeline, a_span_whose_anomalies_are_not_listed_leads_nowhere) {
  EXPECT_EQ(every_minute(20).anomaly(3, 5).list({4}).drawn().tracks.at(0).spans.at(0).row, none);
}

TEST(timeline, one_row_is_a_track_and_its_span_has_a_width) {
  const auto series = every_minute(1).anomaly(0, 4).drawn();
  const ReportData::Track& track = series.tracks.at(0);
  EXPECT_EQ(track.times, Numbers{0});
  ASSERT_EQ(track.spans.size(), 1U);
  EXPECT_LT(track.spans[0].from, track.spans[0].to);
}

TEST(timeline, rows_that_are_all_of_one_time_are_one_moment) {
  const auto series = Rows(ColumnTable().times("t", Times(1000, day)).numbers("cpu", Numbers(1000, 0.1))).drawn();
  EXPECT_EQ(series.tracks.at(0).times, Numbers{86'400});
  EXPECT_EQ(series.tracks[0].metrics.at(0).mean, Numbers{0.1});
  EXPECT_TRUE(series.tracks[0].metrics[0].low.empty());
}

TEST(timeline, without_anomalies_there_are_no_spans) {
  const auto series = every_minute(50).drawn();
  EXPECT_TRUE(series.tracks.at(0).spans.empty());
  EXPECT_EQ(series.calendar_anomalies, Counts(n_hours, 0));
}

TEST(timeline, rows_without_a_time_are_left_out_and_counted) {
  const auto series =
      Rows(ColumnTable().times("t", {0, Column::missing_time, Column::missing_time}).numbers("cpu", {1, 2, 3}))
          .anomaly(2, 8)
          .drawn();
  EXPECT_EQ(series.tracks.at(0).n_rows, 1U);
  EXPECT_EQ(series.notes, Words{"Rows without a time are not drawn: 2 rows, 1 anomaly."});
}

TEST(timeline, no_time_at_all_makes_no_track) {
  const auto series = Rows(ColumnTable().texts("t", {std::nullopt, ""}).numbers("cpu", {1, 2})).drawn();
  EXPECT_TRUE(series.tracks.empty());
}

TEST(timeline, the_calendar_goes_by_the_local_clock_on_both_sides_of_summer_time) {
  // On Sunday 2026-03-29, clocks in Berlin change from 2 to 3.
  const auto sunday = midnight(2026, 3, 29);
  const Rows rows = Rows(ColumnTable()
                             .times("t", {sunday + 30 * minute, sunday + hour + 30 * minute, sunday - hour - minute})
                             .numbers("cpu", {1, 2, 3}))
                        .anomaly(1, 5);
  Timeline what = rows.timeline(rows.table);
  what.time.zone = "Europe/Berlin";
  const ReportData::Series series = timeline_of(what);
  Counts expected(n_hours, 0);
  expected[(6 * 24) + 1] = 1;
  expected[(6 * 24) + 3] = 1;
  expected[(5 * 24) + 23] = 1;
  EXPECT_EQ(series.calendar_rows, expected);
  std::ranges::fill(expected, 0);
  expected[(6 * 24) + 3] = 1;
  EXPECT_EQ(series.calendar_anomalies, expected);
  EXPECT_EQ(series.zone, "Europe/Berlin");
}

TEST(timeline, series_with_the_most_anomalies_come_first_and_few_are_drawn) {
  Times times;
  Texts hosts;
  Numbers values;
  for (int host = 0; host < 15; ++host)
    for (int i = 0; i < (host == 7 ? 3 : 2); ++i) {
      times.push_back(i * minute);
      hosts.emplace_back(host == 3 ? "" : fmt::format("host {}", static_cast<char>('a' + host)));
      values.push_back(host);
    }
  const auto series = Rows(ColumnTable().times("t", times).texts("host", hosts).numbers("cpu", values))
                          .anomaly(6, 5)   // the host without a name
                          .anomaly(29, 5)  // the 15th host
                          .anomaly(30, 5)
                          .drawn("host");
  ASSERT_EQ(series.tracks.size(), 12U);
  EXPECT_EQ(series.tracks[0].key, "host o");
  EXPECT_EQ(series.tracks[1].key, "missing");
  EXPECT_EQ(series.tracks[2].key, "host h");
  EXPECT_EQ(series.tracks[3].key, "host a");
  EXPECT_EQ(series.tracks[0].spans.at(0).n_anomalies, 2U);
  EXPECT_EQ(series.tracks[3].metrics.at(0).mean, (Numbers{0, 0}));
  EXPECT_EQ(series.by_column, "host");
  EXPECT_EQ(series.notes,
            Words{"Series: 15 in all, the 12 with the most anomalies are drawn; the others have 6 rows, 0 anomalies."});
}

TEST(timeline, only_columns_of_numbers_are_metrics_and_not_too_many) {
  ColumnTable columns = ColumnTable().times("t", {0}).texts("word", {"x"});
  for (int i = 0; i < 30; ++i) columns.numbers(fmt::format("m{}", i), {1});
  const auto series = Rows(columns).drawn();
  ASSERT_EQ(series.tracks.at(0).metrics.size(), 24U);
  EXPECT_EQ(series.tracks[0].metrics[0].name, "m0");
  EXPECT_EQ(series.notes, Words{"Numeric columns: 30 in all, the first 24 are drawn."});
}

TEST(timeline, names_are_cut) {
  const std::string name(1'000'000, 'h');
  const auto series = Rows(ColumnTable().times("t", {0}).texts("host", {name}).numbers(name, {1})).drawn("host");
  EXPECT_EQ(series.tracks.at(0).key, std::string(40, 'h') + "...");
  EXPECT_EQ(series.tracks[0].metrics.at(0).name, std::string(40, 'h') + "...");
}

TEST(timeline, a_column_that_is_not_there_is_named) {
  EXPECT_EQ(complaint([] { (void)every_minute(3).drawn("rack"); }),
            "the series key must be in the table; there is no column 'rack'.");
}

TEST(timeline, can_be_cancelled) {
  const Rows rows = every_minute(3);
  const std::atomic<bool> cancel{true};
  EXPECT_THROW((void)timeline_of(rows.timeline(rows.table), {.cancel = &cancel}), Cancelled);
}

TEST(timeline, a_time_that_is_far_off_does_not_make_the_others_one_moment) {
  Times times{midnight(2026, 11, 16)};
  for (std::size_t i = 1; i < 2000; ++i) times.push_back(static_cast<std::int64_t>(i) * minute);
  const auto series = Rows(ColumnTable().times("t", times).numbers("cpu", Numbers(2000, 1))).drawn("", 2500);
  EXPECT_EQ(series.moment_words, "each point summarizes the 5 min around it");
}

/// Random rows of three series, with and without values and scores, at times in random order.
Rows any_rows() {
  const auto n = *rc::gen::inRange<std::size_t>(1, 300);
  const auto span = *rc::gen::element<std::int64_t>(100, minute, day, 3000 * day);
  Times times;
  Texts hosts;
  Numbers values;
  for (std::size_t i = 0; i < n; ++i) {
    times.push_back(*rc::gen::inRange<std::int64_t>(-span, span));
    hosts.emplace_back(*rc::gen::element<std::string>("a", "b", ""));
    values.push_back(*rc::gen::inRange(0, 5) == 0 ? nan : *rc::gen::inRange(-100, 100));
  }
  Rows rows(ColumnTable().times("t", times).texts("host", hosts).numbers("cpu", values));
  for (std::size_t i = 0; i < n; ++i)
    if (*rc::gen::inRange(0, 6) == 0) rows.anomaly(i, *rc::gen::inRange(2, 10));
  for (std::size_t i = 0; i < n; i += 3) rows.listed.push_back(i);
  return rows;
}

/// As text, so that NaN equals itself.
std::string shown(const ReportData::Series& series) {
  std::string text = series.moment_words;
  const auto add = [&](const Numbers& numbers) { text += fmt::format("[{}]", fmt::join(numbers, " ")); };
  for (const ReportData::Track& track : series.tracks) {
    text += fmt::format("\n{} {}", track.key, track.n_rows);
    add(track.times);
    add(track.scores);
    for (const ReportData::Metric& metric : track.metrics)
      for (const Numbers& numbers : {metric.low, metric.mean, metric.high}) add(numbers);
    for (const ReportData::Span& span : track.spans)
      text += fmt::format("({} {} {} {} {})", span.from, span.to, span.n_anomalies, span.bits, span.row);
  }
  return text + fmt::format("{} {}", fmt::join(series.calendar_rows, " "), fmt::join(series.calendar_anomalies, " "));
}

RC_GTEST_PROP(timeline, is_the_same_however_rows_are_cut_into_batches, ()) {
  const Rows rows = any_rows();
  const auto batch_rows = *rc::gen::inRange<std::size_t>(1, 50);
  TableStore store({.batch_rows = batch_rows});
  for (std::size_t begin = 0; begin < rows.table.n_rows(); begin += batch_rows)
    store.append(rows.table.rows(begin, std::min(begin + batch_rows, rows.table.n_rows())));
  Timeline what = rows.timeline(store);
  what.by = "host";
  what.most_numbers = *rc::gen::inRange<std::size_t>(5, 1000);
  RC_ASSERT(shown(timeline_of(what)) == shown(rows.drawn("host", what.most_numbers)));
}

RC_GTEST_PROP(timeline, moments_hold_what_the_rows_around_them_do, ()) {
  const Rows rows = any_rows();
  const auto most = *rc::gen::inRange<std::size_t>(10, 1500);
  const ReportData::Series series = rows.drawn("", most);
  const ReportData::Track& track = series.tracks.at(0);
  const ReportData::Metric& metric = track.metrics.at(0);
  const auto& columns = rows.table.columns();

  std::map<std::string, std::int64_t> lengths{{"", 1}, {"each point summarizes all rows of its time", 1}};
  for (const std::int64_t length : std::initializer_list<std::int64_t>{
           10,          100,    1000,       10'000,      100'000,     second,    5 * second, 10 * second,
           30 * second, minute, 5 * minute, 10 * minute, 30 * minute, hour,      2 * hour,   6 * hour,
           12 * hour,   day,    7 * day,    28 * day,    364 * day,   3640 * day})
    lengths.emplace(fmt::format("each point summarizes the {} around it", values::span_words(length)), length);
  const std::int64_t length = lengths.at(series.moment_words);

  struct Expected {
    Numbers values = {};
    double bits = 0;
  };
  std::map<std::int64_t, Expected> expected;
  for (std::size_t i = 0; i < rows.table.n_rows(); ++i) {
    const auto place =
        static_cast<std::int64_t>(std::floor(static_cast<double>(columns[0].time(i)) / static_cast<double>(length)));
    Expected& moment = expected[place];
    if (!std::isnan(columns[2].number(i))) moment.values.push_back(columns[2].number(i));
    moment.bits = std::max(moment.bits, rows.bits[i]);
  }
  RC_ASSERT(expected.size() * 5 <= most);

  std::size_t at = 0;
  for (const auto& [place, moment] : expected) {
    while (std::isnan(track.scores.at(at))) ++at;  // a gap
    const std::int64_t middle = (place * length) + (length / 2);
    RC_ASSERT(track.times[at] == static_cast<double>(middle) / 1e6);
    RC_ASSERT(track.scores[at] == moment.bits);
    const bool has_band = !metric.low.empty();
    RC_ASSERT(std::isnan(metric.mean[at]) == moment.values.empty());
    if (!moment.values.empty()) {
      const auto [low, high] = std::ranges::minmax(moment.values);
      double sum = 0;
      for (const double value : moment.values) sum += value;
      RC_ASSERT(metric.mean[at] == sum / static_cast<double>(moment.values.size()));
      RC_ASSERT((has_band ? metric.low[at] : metric.mean[at]) == low);
      RC_ASSERT((has_band ? metric.high[at] : metric.mean[at]) == high);
    }
    ++at;
  }
  RC_ASSERT(at == track.times.size());
}

RC_GTEST_PROP(timeline, spans_hold_every_anomaly_once_and_do_not_touch, ()) {
  const Rows rows = any_rows();
  const ReportData::Series series = rows.drawn("", *rc::gen::inRange<std::size_t>(5, 1500));
  const auto& spans = series.tracks.at(0).spans;
  std::uint64_t n_anomalies = 0;
  for (std::size_t s = 0; s < spans.size(); ++s) {
    const ReportData::Span& span = spans[s];
    RC_ASSERT(span.from < span.to);
    if (s > 0) RC_ASSERT(spans[s - 1].to < span.from);
    std::uint64_t n = 0;
    double bits = 0;
    std::size_t first = none;
    for (std::size_t i = 0; i < rows.table.n_rows(); ++i) {
      const double time = static_cast<double>(rows.table.columns()[0].time(i)) / 1e6;
      if (!rows.anomalies[i] || time < span.from || time >= span.to) continue;
      ++n;
      bits = std::max(bits, rows.bits[i]);
      if (i % 3 == 0) first = std::min(first, i / 3);
    }
    RC_ASSERT(span.n_anomalies == n);
    RC_ASSERT(span.bits == bits);
    RC_ASSERT(span.row == first);
    n_anomalies += n;
  }
  RC_ASSERT(n_anomalies == static_cast<std::uint64_t>(std::ranges::count(rows.anomalies, true)));
}

}  // namespace
}  // namespace pidforest::report
