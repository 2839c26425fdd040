// SPDX-License-Identifier: Apache-2.0
#include "series/series_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "pidforest/error.h"
#include "schema/match.h"
#include "schema/times.h"
#include "series/time_order.h"
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
