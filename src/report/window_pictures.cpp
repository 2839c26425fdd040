// SPDX-License-Identifier: Apache-2.0
#include "report/window_pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "schema/match.h"
#include "schema/time_column.h"
#include "values/excerpt.h"

namespace pidforest::report {

namespace {

constexpr std::size_t most_samples = 100'000;
/// Three windows before and after it, as far as single samples are still visible.
constexpr std::size_t windows_around = 3;
constexpr std::size_t most_around = 48;
constexpr std::size_t most_buckets = 60;
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// The times and values of some rows of a table.
class ReadSamples {
 public:
  /// `rows` is increasing.
  ReadSamples(const Batches& table, std::vector<std::uint64_t> rows, const std::optional<ColumnSchema>& time,
              const std::vector<std::string>& metrics)
      : rows_(std::move(rows)) {
    const Table header = table.header();
    std::vector<std::pair<std::size_t, std::vector<double>*>> places;
    places.reserve(metrics.size());
    for (const std::string& metric : metrics)
      places.emplace_back(schema::place_of(header, metric, "a metric"), &values_[metric]);
    std::optional<schema::TimeReader> reader;
    std::size_t time_place = 0;
    if (time) {
      reader.emplace(*time);
      time_place = schema::place_of(header, time->name, "the time column");
    }
    rows_at(table, rows_).for_each([&](const Table& batch) {
      for (std::size_t i = 0; i < batch.n_rows(); ++i) {
        if (reader) seconds_.push_back(static_cast<double>(reader->utc(batch.columns()[time_place], i)) / 1e6);
        for (const auto& [place, values] : places) values->push_back(batch.columns()[place].number(i));
      }
    });
  }

  [[nodiscard]] double seconds(std::uint64_t row) const { return seconds_[place_of(row)]; }
  [[nodiscard]] double value(const std::string& metric, std::uint64_t row) const {
    return values_.at(metric)[place_of(row)];
  }

 private:
  [[nodiscard]] std::size_t place_of(std::uint64_t row) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(rows_, row) - rows_.begin());
  }

  std::vector<std::uint64_t> rows_;
  std::vector<double> seconds_ = {};
  std::map<std::string, std::vector<double>> values_ = {};
};

/// Which of the samples each point of a picture stands for: itself, or every point one half of a bucket.
struct Buckets {
  std::size_t n_samples = 0;
  std::size_t length = 1;

  explicit Buckets(std::size_t n) : n_samples(n) {
    if (n > 2 * most_buckets) length = (n + most_buckets - 1) / most_buckets;
  }
  [[nodiscard]] std::size_t n_points() const {
    return length == 1 ? n_samples : 2 * ((n_samples + length - 1) / length);
  }
  [[nodiscard]] std::size_t sample_of(std::size_t point) const {
    return length == 1 ? point : std::min(n_samples - 1, point / 2 * length + point % 2 * (length / 2));
  }
  [[nodiscard]] std::size_t point_of(std::size_t sample) const {
    return length == 1 ? sample : sample / length * 2 + (sample % length >= (length + 1) / 2 ? 1 : 0);
  }

  /// The lowest and the highest value of each bucket, in their order; the value at `own` is its point's.
  [[nodiscard]] std::vector<double> reduce(const std::vector<double>& values, std::size_t own) const {
    if (length == 1) return values;
    std::vector<double> points(n_points(), no_value);
    for (std::size_t begin = 0; begin < n_samples; begin += length) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = values.begin() + static_cast<std::ptrdiff_t>(std::min(n_samples, begin + length));
      std::vector<double> known;
      std::copy_if(first, last, std::back_inserter(known), [](double value) { return !std::isnan(value); });
      if (known.empty()) continue;
      auto [low, high] = std::ranges::minmax_element(known);
      if (high < low) std::swap(low, high);
      points[begin / length * 2] = *low;
      points[begin / length * 2 + 1] = *high;
    }
    if (own < n_samples) points[point_of(own)] = values[own];
    return points;
  }
};

ReportData::Window picture_of(const WindowSamples& samples, const WindowToDraw& what, const ReadSamples& read,
                              bool has_times) {
  const auto place = [&](std::size_t sample) {
    return has_times ? read.seconds(samples.rows[sample]) : static_cast<double>(samples.rows[sample] + 1);
  };
  const Buckets buckets(samples.rows.size());
  const auto own = static_cast<std::size_t>(std::ranges::find(samples.rows, what.row) - samples.rows.begin());
  ReportData::Window window{.is_time = has_times,
                            .from = place(samples.begin),
                            .to = place(samples.begin + samples.n - 1),
                            .n_samples = samples.n};
  if (own < samples.rows.size()) window.at = buckets.point_of(own);
  for (std::size_t point = 0; point < buckets.n_points(); ++point)
    window.places.push_back(place(buckets.sample_of(point)));
  for (const ColumnSchema& metric : what.metrics) {
    std::vector<double> values;
    values.reserve(samples.rows.size());
    for (const std::size_t row : samples.rows) values.push_back(read.value(metric.name, row));
    window.metrics.push_back({.name = values::excerpt(metric.name),
                              .unit = values::excerpt(metric.unit),
                              .values = buckets.reduce(values, own)});
  }
  return window;
}

}  // namespace

std::vector<std::optional<ReportData::Window>> window_pictures(const Series& series, const Scores& scores,
                                                               const std::optional<ColumnSchema>& time,
                                                               const std::vector<WindowToDraw>& rows) {
  std::vector<std::optional<WindowSamples>> samples;
  std::vector<std::uint64_t> needed;
  std::vector<std::string> metrics;
  std::size_t n_samples = 0;
  for (const WindowToDraw& one : rows) {
    samples.emplace_back();
    if (scores.windows[one.row] >= series.n_rows()) continue;
    const std::size_t n_of_window = series.samples_of(scores.windows[one.row]).n;
    WindowSamples window =
        series.samples_of(scores.windows[one.row], std::min(most_around, windows_around * n_of_window));
    n_samples += window.rows.size();
    if (n_samples > most_samples) continue;
    needed.insert(needed.end(), window.rows.begin(), window.rows.end());
    for (const ColumnSchema& metric : one.metrics)
      if (std::ranges::find(metrics, metric.name) == metrics.end()) metrics.push_back(metric.name);
    samples.back() = std::move(window);
  }
  std::ranges::sort(needed);
  const auto repeated = std::ranges::unique(needed);
  needed.erase(repeated.begin(), repeated.end());
  const ReadSamples read(scores.rows, std::move(needed), time, metrics);
  std::vector<std::optional<ReportData::Window>> pictures(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const std::optional<WindowSamples>& window = samples[i])
      pictures[i] = picture_of(*window, rows[i], read, time.has_value());
  return pictures;
}

}  // namespace pidforest::report
