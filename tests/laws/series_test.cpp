// SPDX-License-Identifier: Apache-2.0
// Law 8 for series: a forest on shingles equals one on a table that was written out by hand, for any segments.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "pidforest/table.h"
#include "random_table.h"

namespace pidforest {
namespace {

constexpr std::int64_t gap = 1000;

/// Times that advance by one, and occasionally by more than the gap.
std::vector<std::int64_t> any_times(std::size_t n) {
  const int one_in = *rc::gen::inRange(5, 200);
  std::vector<std::int64_t> times(n, 0);
  for (std::size_t i = 1; i < n; ++i) times[i] = times[i - 1] + (*rc::gen::inRange(0, one_in) == 0 ? gap + 1 : 1);
  return times;
}

/// The shingles, with each value copied to its place.
std::vector<double> by_hand(const OwnedTable& samples, const std::vector<std::int64_t>& times, std::size_t window) {
  std::vector<double> values;
  for (std::size_t i = 0; i + window <= times.size(); ++i) {
    bool has_gap = false;
    for (std::size_t k = 1; k < window; ++k) has_gap = has_gap || times[i + k] - times[i + k - 1] > gap;
    for (std::size_t j = 0; j < samples.n_columns() && !has_gap; ++j)
      for (std::size_t k = 0; k < window; ++k) values.push_back(samples.values[(i + k) * samples.n_columns() + j]);
  }
  return values;
}

TableStore in_batches(const Table& table, std::size_t batch_rows) {
  TableStore store({.batch_rows = batch_rows});
  for (std::size_t begin = 0; begin < table.n_rows(); begin += batch_rows)
    store.append(table.rows(begin, std::min(begin + batch_rows, table.n_rows())));
  return store;
}

RC_GTEST_PROP(series, shingles_score_as_the_table_written_out_by_hand, ()) {
  const OwnedTable samples = any_numbers(200);
  const std::vector<std::int64_t> times = any_times(samples.n_rows());
  const auto window = *rc::gen::inRange<std::size_t>(1, std::min<std::size_t>(samples.n_rows(), 7) + 1);
  const std::vector<double> shingled = by_hand(samples, times, window);
  RC_PRE(!shingled.empty());

  std::vector<Column> columns = samples.table().columns();
  columns.push_back(Column::of_times("t", times.data()));
  const TableStore rows = in_batches({samples.n_rows(), columns}, *rc::gen::inRange<std::size_t>(1, 100));
  const Series series(rows, {.window = window, .time = "t", .max_gap = gap, .views = {SeriesView::lags}});
  const Table lags = series.header();
  std::vector<std::string> names;
  for (const Column& column : lags.columns()) names.push_back(column.name);
  const Table table = Table::row_major(shingled, names.size(), names);

  const Options options = any_options();
  const Model model = Model::fit(series, options);
  RC_ASSERT(model == Model::fit(table, options));
  RC_ASSERT(model.score(series) == model.score(table));
}

/// One or several different views, in any order.
std::vector<SeriesView> any_series_views() {
  std::vector<SeriesView> views;
  for (const SeriesView view : {SeriesView::residual, SeriesView::changes, SeriesView::lags, SeriesView::scales})
    if (views.empty() || *rc::gen::arbitrary<bool>()) views.push_back(view);
  return views;
}

RC_GTEST_PROP(series, batches_threads_and_the_recipe_change_nothing_for_any_views, ()) {
  const OwnedTable samples = any_numbers(300);
  constexpr std::int64_t half_hour = 1'800'000'000;
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < samples.n_rows(); ++i) times.push_back(half_hour * static_cast<std::int64_t>(i));
  const auto window = *rc::gen::inRange<std::size_t>(1, std::min<std::size_t>(samples.n_rows(), 10) + 1);
  std::vector<Column> columns = samples.table().columns();
  columns.push_back(Column::of_times("t", times.data()));
  const Table table(samples.n_rows(), columns);
  const TableStore rows = in_batches(table, *rc::gen::inRange<std::size_t>(1, 100));

  const SeriesOptions how{.window = window, .time = "t", .views = any_series_views()};
  const Series series(table, how);
  const Schema schema = infer_schema(series, series.declared());
  const Options options = any_options();
  const Model model = Model::fit(series, schema, options, {.threads = 1});
  RC_ASSERT(Model::fit(Series(rows, how), schema, options, {.threads = 7}) == model);
  if (!schema.windows) return;
  const Model loaded = Model::from_bytes(model.to_bytes());
  RC_ASSERT(loaded == model);
  RC_ASSERT(loaded.score(Series::as_fitted(rows, *loaded.schema().windows)) == model.score(series));
}

}  // namespace
}  // namespace pidforest
