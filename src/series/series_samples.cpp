// SPDX-License-Identifier: Apache-2.0
#include "series/series_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "pidforest/error.h"
#include "schema/match.h"
#include "schema/times.h"
#include "table/column_parts.h"
#include "table/value.h"
#include "values/excerpt.h"
#include "values/number_words.h"

namespace pidforest::series {

namespace {

const ColumnSchema* declared_column(const Schema& declared, const std::string& name) {
  const auto found = std::ranges::find(declared.columns, name, &ColumnSchema::name);
  return found == declared.columns.end() ? nullptr : &*found;
}

/// The series of each row, numbered in the order in which they first come.
std::vector<std::size_t> series_of_rows(const table::ColumnParts& keys) {
  std::unordered_map<std::string, std::size_t> series;
  std::vector<std::size_t> of_rows;
  keys.for_each([&](const Column& column, std::size_t n_rows) {
    for (std::size_t row = 0; row < n_rows; ++row)
      of_rows.push_back(series.try_emplace(table::key_of(column, row), series.size()).first->second);
  });
  return of_rows;
}

/// Samples in order that follow where a clock was set back, unless the series ends before.
constexpr std::size_t n_in_order = 16;

/// Samples in order, of which the first ones are not later than one before them.
struct RunInOrder {
  std::size_t end;
  std::size_t n_again;
};

RunInOrder run_from(std::span<const std::int64_t> times, std::size_t i, std::size_t end, std::int64_t latest) {
  RunInOrder run{.end = i, .n_again = 0};
  while (run.end < end && (run.end == i || times[run.end] >= times[run.end - 1]) &&
         (times[run.end] <= latest || run.end < i + n_in_order)) {
    run.n_again += times[run.end] <= latest ? 1 : 0;
    ++run.end;
  }
  return run;
}

/// Whether the clock was set back at sample i: at least as many samples before it, from `from` on, have the times that
/// the run has again.
bool is_set_back(std::span<const std::int64_t> times, std::size_t from, std::size_t i, const RunInOrder& run,
                 std::size_t end) {
  if (run.n_again < 2 || (run.end < i + n_in_order && run.end < end)) return false;
  const std::size_t n_looked_at = std::min(i - from, 2 * run.n_again + n_in_order);
  const std::int64_t last = times[i + run.n_again - 1];
  const auto first = times.begin() + static_cast<std::ptrdiff_t>(i - n_looked_at);
  const auto n_before = std::count_if(first, first + static_cast<std::ptrdiff_t>(n_looked_at),
                                      [&](std::int64_t time) { return time >= times[i] && time <= last; });
  return static_cast<std::size_t>(n_before) >= run.n_again;
}

/// Sorts the places of one series, which are a range of `places`, by their times; equal times keep their order. Where
/// the clock was set back, `starts` of the place is set, and samples from both sides are not mixed. A clock counts as
/// set back where at least 2 successive samples have times that as many samples before them have, and samples go on in
/// order from there: 16 of them, or all that are left. Adds to `order`.
void sort_by_time(std::span<const std::int64_t> times, Segment series, std::vector<std::size_t>& places,
                  std::vector<bool>& starts, SampleOrder& order) {
  const std::size_t end = series.begin + series.n;
  const auto sort = [&](std::size_t from, std::size_t to) {
    std::stable_sort(places.begin() + static_cast<std::ptrdiff_t>(from),
                     places.begin() + static_cast<std::ptrdiff_t>(to),
                     [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
    for (std::size_t i = from + 1; i < to; ++i) order.n_repeated += times[places[i]] == times[places[i - 1]] ? 1 : 0;
  };
  std::size_t from = series.begin;
  std::int64_t latest = times[series.begin];
  std::size_t judged = series.begin;  // the end of a run that is only late
  for (std::size_t i = series.begin + 1; i < end; ++i) {
    if (times[i] < latest && i >= judged) {
      const RunInOrder run = run_from(times, i, end, latest);
      judged = run.end;
      if (is_set_back(times, from, i, run, end)) {
        sort(from, i);
        from = i;
        starts[i] = true;
        ++order.n_set_back;
        latest = times[i];
        continue;
      }
    }
    order.n_late += times[i] < latest ? 1 : 0;
    latest = std::max(latest, times[i]);
  }
  sort(from, end);
}

class Reading {
 public:
  Reading(const Batches& samples, const SeriesOptions& options, const Schema& declared,
          const std::vector<ColumnSchema>* metrics)
      : samples_(samples), columns_(samples.header()), options_(options), declared_(declared), metrics_(metrics) {}

  SeriesSamples read() {
    sort_rows();
    if (!options_.time.empty()) read_times();
    read_metrics();
    cut_segments();
    return std::move(read_);
  }

 private:
  void sort_rows() {
    read_.rows.resize(samples_.n_rows());
    std::iota(read_.rows.begin(), read_.rows.end(), std::size_t{0});
    series_.assign(samples_.n_rows(), 0);
    if (options_.by.empty()) return;
    series_ = series_of_rows({samples_, schema::place_of(columns_, options_.by, "the series key")});
    std::ranges::stable_sort(read_.rows, {}, [&](std::size_t row) { return series_[row]; });
    is_in_order_ = false;
  }

  /// The places of the metrics among the columns.
  [[nodiscard]] std::vector<std::size_t> metric_places() const {
    std::vector<std::size_t> places;
    if (metrics_ != nullptr) {
      for (const ColumnSchema& metric : *metrics_)
        places.push_back(schema::place_of(columns_, metric.name, "a metric of the model's windows"));
      return places;
    }
    for (std::size_t j = 0; j < columns_.n_columns(); ++j) {
      const std::string& name = columns_.columns()[j].name;
      const ColumnSchema* const given = declared_column(declared_, name);
      const bool is_ignored = given != nullptr && given->kind == Kind::ignored;
      if (!is_ignored && name != options_.time && name != options_.by) places.push_back(j);
    }
    return places;
  }

  void read_metrics() {
    for (const std::size_t j : metric_places()) {
      const Column& column = columns_.columns()[j];
      if (column.type == ColumnType::text || column.type == ColumnType::time)
        throw InvalidInput(fmt::format(
            "column '{}' must contain numbers to be a metric of a series; got {}. Exclude it, or name it as the time "
            "column or as the series key.",
            values::excerpt(column.name), name_of(column.type)));
      read_.metrics.push_back({.name = column.name, .type = column.type});
      read_.metrics.back().values =
          in_order<double>(j, [](const Column& part, std::size_t row) { return part.number(row); });
    }
    if (read_.metrics.empty())
      throw InvalidInput("a series must have at least one metric (a column of numbers); it has none.");
  }

  void read_times() {
    const std::size_t place = schema::place_of(columns_, options_.time, "the time column");
    const ColumnSchema* const given = declared_column(declared_, options_.time);
    read_.time = given != nullptr ? *given : schema::infer_times(samples_, options_.time);
    const schema::TimeReader reader(read_.time);
    read_.times = in_order<std::int64_t>(
        place, [&](const Column& part, std::size_t row) { return reader.required_utc(part, row); });
    put_in_order();
  }

  /// Sorts the samples of each series by time, and notes where a clock was set back.
  void put_in_order() {
    starts_.assign(read_.rows.size(), false);
    const std::vector<std::int64_t> as_given = read_.times;
    std::vector<std::size_t> places(read_.rows.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
      const std::size_t series = series_[read_.rows[begin]];
      while (end < places.size() && series_[read_.rows[end]] == series) ++end;
      sort_by_time(as_given, {begin, end - begin}, places, starts_, read_.order);
    }
    const std::vector<std::size_t> rows = read_.rows;
    for (std::size_t i = 0; i < places.size(); ++i) {
      read_.rows[i] = rows[places[i]];
      read_.times[i] = as_given[places[i]];
    }
    is_in_order_ = std::ranges::is_sorted(read_.rows);
  }

  /// The values of a column in the order of the samples.
  template <class Value, class ValueAt>
  std::vector<Value> in_order(std::size_t column, const ValueAt& value_at) const {
    std::vector<Value> values;
    samples_.for_each_part(column, [&](const Column& part, std::size_t n_rows) {
      for (std::size_t row = 0; row < n_rows; ++row) values.push_back(value_at(part, row));
    });
    if (is_in_order_) return values;
    std::vector<Value> ordered;
    ordered.reserve(values.size());
    for (const std::size_t row : read_.rows) ordered.push_back(values[row]);
    return ordered;
  }

  void cut_segments() {
    for (std::size_t i = 0; i < read_.rows.size(); ++i) {
      if (i == 0 || series_[read_.rows[i]] != series_[read_.rows[i - 1]] || is_after_gap(i))
        read_.segments.push_back({.begin = i, .n = 0});
      ++read_.segments.back().n;
    }
  }

  /// Sample i follows another one of its series.
  [[nodiscard]] bool is_after_gap(std::size_t i) const {
    if (read_.times.empty()) return false;
    return starts_[i] || (options_.max_gap && read_.times[i] - read_.times[i - 1] > *options_.max_gap);
  }

  const Batches& samples_;
  Table columns_;
  const SeriesOptions& options_;
  const Schema& declared_;
  const std::vector<ColumnSchema>* metrics_;
  SeriesSamples read_;
  std::vector<std::size_t> series_;
  /// Whether the clock was set back before each sample; empty without times.
  std::vector<bool> starts_;
  bool is_in_order_ = true;
};

}  // namespace

std::int64_t SeriesSamples::even_step() const {
  if (times.empty()) return 0;
  std::int64_t step = 0;
  for (const Segment& segment : segments)
    for (std::size_t i = segment.begin + 1; i < segment.begin + segment.n; ++i) {
      const std::int64_t next = times[i] - times[i - 1];
      if (next == 0 || (step != 0 && next != step)) return 0;
      step = next;
    }
  return step;
}

std::string lag_name(const std::string& metric, std::size_t lag) {
  if (lag == 0) return metric;
  return fmt::format("{} {} earlier", metric, values::counted(lag, "sample"));
}

SeriesSamples read_samples(const Batches& samples, const SeriesOptions& options, const Schema& declared,
                           const std::vector<ColumnSchema>* metrics) {
  return Reading(samples, options, declared, metrics).read();
}

}  // namespace pidforest::series
