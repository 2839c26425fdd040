// SPDX-License-Identifier: Apache-2.0
#include "pidforest/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pidforest/error.h"
#include "series/series_samples.h"
#include "values/span_words.h"

namespace pidforest {

using series::Metric;
using series::Segment;

namespace {

/// Segments that are shorter than the window have no shingles.
std::vector<Segment> long_enough(const std::vector<Segment>& segments, std::size_t window) {
  std::vector<Segment> kept;
  std::size_t longest = 0;
  for (const Segment& segment : segments) {
    longest = std::max(longest, segment.n);
    if (segment.n >= window) kept.push_back(segment);
  }
  if (kept.empty())
    throw InvalidInput(
        fmt::format("the window must be at most {}, the number of samples in the longest stretch without a gap; "
                    "got {}.",
                    longest, window));
  return kept;
}

/// The mean of each sample and those before it in its segment, `span` of them at most; missing ones do not count.
std::vector<double> means_of(const std::vector<double>& values, const std::vector<Segment>& segments,
                             std::size_t span) {
  std::vector<double> means(values.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Segment& segment : segments)
    for (std::size_t i = 0; i < segment.n; ++i) {
      double sum = 0;
      double n = 0;
      for (std::size_t k = i + 1 - std::min(span, i + 1); k <= i; ++k) {
        const double x = values[segment.begin + k];
        if (std::isnan(x)) continue;
        sum += x;
        ++n;
      }
      if (n > 0) means[segment.begin + i] = sum / n;
    }
  return means;
}

std::vector<double> in_seconds(const std::vector<std::int64_t>& times) {
  std::vector<double> seconds;
  seconds.reserve(times.size());
  for (const std::int64_t time : times) seconds.push_back(static_cast<double>(time) / 1e6);
  return seconds;
}

}  // namespace

void validate(const SeriesOptions& options) {
  constexpr std::size_t longest = 1'000'000;
  if (options.window < 1 || options.window > longest)
    throw InvalidOption(fmt::format("window must be between 1 and {} samples; got {}.", longest, options.window));
  if (options.max_gap && *options.max_gap < 0) throw InvalidOption("max_gap must not be negative.");
  if (options.max_gap && options.time.empty())
    throw InvalidOption("max_gap requires the time column, which shows the gaps.");
  if (options.calendar && options.time.empty()) throw InvalidOption("calendar requires the time column.");
  for (const std::size_t span : options.means)
    if (span < 2 || span > longest)
      throw InvalidOption(fmt::format("each of the means must span between 2 and {} samples; got {}.", longest, span));
  if (!options.by.empty() && options.by == options.time)
    throw InvalidOption(fmt::format("time and by must be different columns; both are '{}'.", options.by));
}

struct Series::State {
  std::size_t window;
  Schema given;
  series::SeriesSamples samples;
  std::int64_t step = 0;
  std::size_t n_shingles = 0;
  /// Columns besides the lags, with a value for each sample that ends a shingle.
  std::vector<Metric> further = {};
  bool has_calendar = false;

  State(const Batches& batches, const SeriesOptions& options, const Schema& declared)
      : window(options.window), given(declared), samples(series::read_samples(batches, options, declared)) {
    samples.segments = long_enough(samples.segments, window);
    step = samples.even_step();
    for (const Segment& segment : samples.segments) n_shingles += n_shingles_of(segment);
    for (const Metric& metric : samples.metrics)
      for (const std::size_t span : options.means)
        further.push_back(
            {.name = name_of_mean(metric, span), .values = means_of(metric.values, samples.segments, span)});
    if (options.calendar) further.push_back({.name = options.time, .values = in_seconds(samples.times)});
    has_calendar = options.calendar;
  }

  [[nodiscard]] std::size_t n_shingles_of(const Segment& segment) const { return segment.n - window + 1; }

  [[nodiscard]] std::string name_of(const Metric& metric, std::size_t lag) const {
    if (step == 0 || lag == 0) return series::lag_name(metric.name, lag);
    return fmt::format("{} {} earlier", metric.name, values::span_words(static_cast<std::int64_t>(lag) * step));
  }

  [[nodiscard]] std::string name_of_mean(const Metric& metric, std::size_t span) const {
    if (step == 0) return fmt::format("{} mean of {} samples", metric.name, span);
    return fmt::format("{} mean over {}", metric.name, values::span_words(static_cast<std::int64_t>(span) * step));
  }

  /// The columns of the shingles of which the first begins at sample `begin`.
  [[nodiscard]] std::vector<Column> columns_from(std::size_t begin) const {
    std::vector<Column> columns;
    for (const Metric& metric : samples.metrics)
      for (std::size_t i = 0; i < window; ++i) {
        columns.push_back({.name = name_of(metric, window - 1 - i), .first = metric.values.data() + begin + i});
        columns.back().type = metric.type;
      }
    for (const Metric& one : further)
      columns.push_back({.name = one.name, .first = one.values.data() + begin + window - 1});
    return columns;
  }
};

Series::Series(const Batches& samples, const SeriesOptions& options, const Schema& declared) {
  validate(options);
  state_ = std::make_unique<State>(samples, options, declared);
}
Series::~Series() = default;
Series::Series(Series&&) noexcept = default;
Series& Series::operator=(Series&&) noexcept = default;

std::size_t Series::n_rows() const { return state_->n_shingles; }
std::size_t Series::n_samples() const { return state_->samples.rows.size(); }
const SampleOrder& Series::order() const { return state_->samples.order; }
Table Series::header() const { return {0, state_->columns_from(0)}; }

void Series::for_each(const std::function<void(const Table& batch)>& visit) const {
  std::size_t n_before = 0;
  for (const Segment& segment : state_->samples.segments) {
    const std::size_t n = state_->n_shingles_of(segment);
    visit(Table(n, state_->columns_from(segment.begin)).numbered_from(n_before));
    n_before += n;
  }
}

Schema Series::declared() const {
  Schema schema;
  for (const Metric& metric : state_->samples.metrics) {
    const auto found = std::ranges::find(state_->given.columns, metric.name, &ColumnSchema::name);
    if (found == state_->given.columns.end()) continue;
    for (std::size_t lag = state_->window; lag-- > 0;) {
      schema.columns.push_back(*found);
      schema.columns.back().name = state_->name_of(metric, lag);
    }
  }
  if (state_->has_calendar) {
    schema.columns.push_back(state_->samples.time);
    schema.columns.back().epoch_unit = EpochUnit::seconds;
    schema.columns.back().date_order = DateOrder::year_first;
    schema.columns.back().note = "the time of a window's last sample";
  }
  return schema;
}

std::vector<std::size_t> Series::shingles_of_samples(WindowAlignment align, std::span<const double> bits) const {
  if (bits.size() != n_rows())
    throw InvalidInput(fmt::format("there must be {} scores, one per window; got {}.", n_rows(), bits.size()));
  const std::size_t window = state_->window;
  const std::size_t first = align == WindowAlignment::end ? window - 1 : 0;
  const std::size_t last = align == WindowAlignment::start ? 0 : window - 1;
  std::vector<std::size_t> shingles(n_samples(), none);
  std::size_t shingle = 0;
  for (const Segment& segment : state_->samples.segments)
    for (std::size_t i = 0; i < state_->n_shingles_of(segment); ++i, ++shingle)
      for (std::size_t place = first; place <= last; ++place) {
        std::size_t& chosen = shingles[state_->samples.rows[segment.begin + i + place]];
        if (chosen == none || bits[shingle] > bits[chosen]) chosen = shingle;
      }
  return shingles;
}

}  // namespace pidforest
