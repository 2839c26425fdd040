// SPDX-License-Identifier: Apache-2.0
#include "report/window_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "pidforest/series.h"
#include "unit/table/column_table.h"
#include "unit/values/clock.h"

namespace pidforest::report {
namespace {

using values::minute;

/// Samples of one metric, one a minute.
class Samples {
 public:
  Samples(Numbers load, std::size_t window) : window_(window) {
    Times times;
    for (std::size_t i = 0; i < load.size(); ++i) times.push_back(static_cast<std::int64_t>(i) * minute);
    owned_ = ColumnTable().times("t", times).numbers("load", std::move(load));
  }

  /// The picture of the window that ends at a row.
  [[nodiscard]] std::optional<ReportData::Window> picture(std::uint64_t row, bool has_times = true) const {
    const Table table = owned_.table();
    const Series series(table, {.window = window_, .time = "t", .views = {SeriesView::scales}});
    const std::vector<double> bits(series.n_rows(), 1);
    const Scores scores{.rows = table,
                        .scored = series,
                        .bits = std::vector<double>(table.n_rows(), 1),
                        .windows = series.shingles_of_samples(WindowAlignment::end, bits)};
    const auto time = has_times ? std::optional(column_of(Kind::time, "t")) : std::nullopt;
    return window_pictures(series, scores, time, {{.row = row, .metrics = {column_of(Kind::continuous, "load")}}})[0];
  }

 private:
  ColumnTable owned_;
  std::size_t window_;
};

TEST(window_pictures, has_the_samples_of_the_window_and_those_around_it) {
  const auto window = Samples({5, 6, nan, 8, 9}, 2).picture(3);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->places, (Numbers{0, 60, 120, 180, 240}));
  EXPECT_TRUE(window->is_time);
  EXPECT_EQ(std::pair(window->from, window->to), std::pair(120.0, 180.0));
  EXPECT_EQ(window->at, 3U);
  EXPECT_EQ(window->n_samples, 2U);
  EXPECT_EQ(window->metrics.at(0).name, "load");
  EXPECT_EQ(window->metrics[0].values[3], 8);
  EXPECT_TRUE(std::isnan(window->metrics[0].values[2]));
}

TEST(window_pictures, names_samples_by_number_without_times) {
  const auto window = Samples({5, 6, 7}, 2).picture(2, false);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->places, (Numbers{1, 2, 3}));
  EXPECT_FALSE(window->is_time);
}

TEST(window_pictures, a_row_without_a_window_has_none) { EXPECT_FALSE(Samples({5, 6, 7}, 2).picture(0)); }

TEST(window_pictures, a_long_window_has_few_points_among_them_its_spikes_and_the_row_itself) {
  Numbers load(1000, 50);
  load[303] = 99;
  load[707] = -1;
  load[998] = 51;
  const auto window = Samples(load, 900).picture(998);
  ASSERT_TRUE(window);
  const Numbers& values = window->metrics.at(0).values;
  EXPECT_LE(values.size(), 120U);
  EXPECT_EQ(values.size(), window->places.size());
  EXPECT_TRUE(std::ranges::is_sorted(window->places));
  EXPECT_EQ(std::ranges::max(values), 99);
  EXPECT_EQ(std::ranges::min(values), -1);
  EXPECT_EQ(values.at(window->at), 51);
}

TEST(window_pictures, windows_beyond_a_hundred_thousand_samples_are_left_out) {
  EXPECT_TRUE(Samples(Numbers(101'000, 1), 99'900).picture(99'900));
  EXPECT_FALSE(Samples(Numbers(101'000, 1), 100'001).picture(100'900));
}

}  // namespace
}  // namespace pidforest::report
