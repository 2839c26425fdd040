// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/series.h.
#include <algorithm>
#include <cmath>
#include <vector>

#include "pidforest/series.h"
#include "series/series_samples.h"

namespace pidforest {

using series::Metric;
using series::Segment;
using series::SeriesSamples;

namespace {

constexpr std::size_t most_lags = 2000;
/// A peak that is lower, or that rises by less from the lowest point before it, may be chance.
constexpr double least_peak = 0.3;
constexpr double least_rise = 0.2;
/// Multiples of a period have peaks, too, which may be a little higher than its own.
constexpr double enough_of_highest = 0.9;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  double n = 0;
  for (const double x : values) {
    if (std::isnan(x)) continue;
    sum += x;
    ++n;
  }
  return n == 0 ? 0 : sum / n;
}

/// Pearson's correlation of pairs that come one by one; 0 where one side does not vary.
struct Correlation {
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double yy = 0;
  double xy = 0;

  void add(double of_x, double of_y) {
    ++n;
    x += of_x;
    y += of_y;
    xx += of_x * of_x;
    yy += of_y * of_y;
    xy += of_x * of_y;
  }
  [[nodiscard]] double value() const {
    const double spread = (xx - x * x / n) * (yy - y * y / n);
    return n > 0 && spread > 0 ? (xy - x * y / n) / std::sqrt(spread) : 0;
  }
};

/// The correlation of values `lag` samples apart, without pairs that have a missing value.
double autocorrelation(const Metric& metric, const std::vector<Segment>& segments, double mean, std::size_t lag) {
  Correlation correlation;
  for (const Segment& segment : segments)
    for (std::size_t i = segment.begin + lag; i < segment.begin + segment.n; ++i) {
      const double later = metric.values[i] - mean;  // the sums would lose digits to a large mean
      const double earlier = metric.values[i - lag] - mean;
      if (!std::isnan(later) && !std::isnan(earlier)) correlation.add(earlier, later);
    }
  return correlation.value();
}

/// By lag, from 0; the mean over the metrics that vary.
std::vector<double> autocorrelations(const SeriesSamples& samples, std::size_t n_lags) {
  std::vector<double> means(n_lags + 1, 0);
  double n_varying = 0;
  for (const Metric& metric : samples.metrics) {
    const double mean = mean_of(metric.values);
    if (autocorrelation(metric, samples.segments, mean, 0) == 0) continue;
    ++n_varying;
    for (std::size_t lag = 0; lag <= n_lags; ++lag) means[lag] += autocorrelation(metric, samples.segments, mean, lag);
  }
  for (double& one : means) one = n_varying == 0 ? 0 : one / n_varying;
  return means;
}

/// The lags at which something comes again.
std::vector<std::size_t> peaks_of(const std::vector<double>& correlations) {
  std::vector<std::size_t> peaks;
  double lowest = 1;
  for (std::size_t lag = 1; lag + 1 < correlations.size(); ++lag) {
    const double here = correlations[lag];
    lowest = std::min(lowest, here);
    const bool is_peak = here > correlations[lag - 1] && here >= correlations[lag + 1];
    if (is_peak && here >= least_peak && here - lowest >= least_rise) peaks.push_back(lag);
  }
  return peaks;
}

/// The first lag with a peak that is as good as the highest; 0 if there is no peak.
std::size_t period_of(const std::vector<double>& correlations) {
  const auto is_lower = [&](std::size_t a, std::size_t b) { return correlations[a] < correlations[b]; };
  const std::vector<std::size_t> peaks = peaks_of(correlations);
  if (peaks.empty()) return 0;
  const double enough = enough_of_highest * correlations[*std::ranges::max_element(peaks, is_lower)];
  const auto first = std::ranges::find_if(peaks, [&](std::size_t lag) { return correlations[lag] >= enough; });
  // Noise puts small peaks on the way up to the true one.
  const auto beyond =
      std::ranges::find_if(first, peaks.end(), [&](std::size_t lag) { return lag > *first + *first / 4; });
  return *std::max_element(first, beyond, is_lower);
}

}  // namespace

SuggestedWindow suggest_window(const Batches& samples, const SeriesOptions& options, const Schema& declared) {
  constexpr std::size_t short_window = 10;
  const SeriesSamples read = series::read_samples(samples, options, declared);
  std::size_t longest = 0;
  for (const Segment& segment : read.segments) longest = std::max(longest, segment.n);
  const std::vector<double> correlations = autocorrelations(read, std::min(most_lags, longest / 2));
  if (const std::size_t period = period_of(correlations)) return {.window = period, .is_period = true};
  return {.window = std::clamp(longest / 2, std::size_t{1}, short_window), .is_period = false};
}

}  // namespace pidforest
