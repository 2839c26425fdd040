// SPDX-License-Identifier: Apache-2.0
#include "pidforest/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "data/series_samples.h"
#include "data/span_words.h"
#include "pidforest/error.h"

namespace pidforest {

using data::Metric;
using data::Segment;

namespace {

void check(const SeriesOptions& options) {
  constexpr std::size_t longest = 1'000'000;
  if (options.window < 1 || options.window > longest)
    throw InvalidOption(fmt::format("window must be from 1 to {} samples; got {}.", longest, options.window));
  if (options.max_gap && *options.max_gap < 0) throw InvalidOption("max_gap must not be negative.");
  if (options.max_gap && options.time.empty())
    throw InvalidOption("max_gap needs the column of times, as gaps are found by them.");
  if (!options.by.empty() && options.by == options.time)
    throw InvalidOption(fmt::format("time and by must be different columns; both are '{}'.", options.by));
}

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
        fmt::format("the window must be at most {}, the samples of the longest stretch without a gap; "
                    "got {}.",
                    longest, window));
  return kept;
}

}  // namespace

struct Series::State {
  std::size_t window;
  Schema given;
  data::SeriesSamples samples;
  std::int64_t step = 0;
  std::size_t n_shingles = 0;

  State(const Batches& batches, const SeriesOptions& options, const Schema& declared)
      : window(options.window), given(declared), samples(data::read_samples(batches, options, declared)) {
    samples.segments = long_enough(samples.segments, window);
    step = samples.even_step();
    for (const Segment& segment : samples.segments) n_shingles += n_shingles_of(segment);
  }

  [[nodiscard]] std::size_t n_shingles_of(const Segment& segment) const { return segment.n - window + 1; }

  [[nodiscard]] std::string name_of(const Metric& metric, std::size_t lag) const {
    if (lag == 0) return metric.name;
    if (step != 0)
      return fmt::format("{} {} earlier", metric.name, data::span_words(static_cast<std::int64_t>(lag) * step));
    return fmt::format("{} {} sample{} earlier", metric.name, lag, lag == 1 ? "" : "s");
  }

  /// The columns of the shingles of which the first begins at sample `begin`.
  [[nodiscard]] std::vector<Column> columns_from(std::size_t begin) const {
    std::vector<Column> columns;
    for (const Metric& metric : samples.metrics)
      for (std::size_t i = 0; i < window; ++i) {
        columns.push_back({.name = name_of(metric, window - 1 - i), .first = metric.values.data() + begin + i});
        columns.back().type = metric.type;
      }
    return columns;
  }
};

Series::Series(const Batches& samples, const SeriesOptions& options, const Schema& declared) {
  check(options);
  state_ = std::make_unique<State>(samples, options, declared);
}
Series::~Series() = default;
Series::Series(Series&&) noexcept = default;
Series& Series::operator=(Series&&) noexcept = default;

std::size_t Series::n_rows() const { return state_->n_shingles; }
std::size_t Series::n_samples() const { return state_->samples.rows.size(); }
Table Series::columns() const { return {0, state_->columns_from(0)}; }

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
  return schema;
}

std::vector<std::size_t> Series::shingles_of_samples(Align align, std::span<const double> bits) const {
  if (bits.size() != n_rows())
    throw InvalidInput(fmt::format("there must be {} scores, one per shingle; got {}.", n_rows(), bits.size()));
  const std::size_t window = state_->window;
  const std::size_t first = align == Align::end ? window - 1 : 0;
  const std::size_t last = align == Align::start ? 0 : window - 1;
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
