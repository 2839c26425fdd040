// SPDX-License-Identifier: Apache-2.0
#include "stream/last_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "pidforest/error.h"

namespace pidforest::stream {

namespace {

constexpr double no_mean = std::numeric_limits<double>::quiet_NaN();

/// The mean of some values and `next`. It sums differences from one of them: the mean of equal values is that value.
double mean_of(std::span<const double> before, double next) {
  constexpr std::size_t n_lanes = 4;
  const auto found = std::ranges::find_if(before, [](double x) { return !std::isnan(x); });
  const double origin = std::isnan(next) && found != before.end() ? *found : next;
  if (std::isnan(origin)) return no_mean;
  std::array<double, n_lanes> sums{};
  std::array<double, n_lanes> counts{};
  for (std::size_t k = 0; k < before.size(); ++k) {
    const double difference = before[k] - origin;
    const bool is_there = difference == difference;
    sums[k % n_lanes] += is_there ? difference : 0;
    counts[k % n_lanes] += is_there ? 1 : 0;
  }
  if (!std::isnan(next)) {
    sums[0] += next - origin;
    ++counts[0];
  }
  const double n = (counts[0] + counts[1]) + (counts[2] + counts[3]);
  const double mean = origin + ((sums[0] + sums[1]) + (sums[2] + sums[3])) / n;
  return std::isfinite(mean) ? mean : no_mean;
}

}  // namespace

LastMeans::LastMeans(std::size_t n_metrics, std::vector<std::size_t> spans)
    : n_metrics_(n_metrics), spans_(std::move(spans)), before_(n_metrics) {}

std::size_t LastMeans::most_before() const { return spans_.empty() ? 0 : std::ranges::max(spans_) - 1; }

void LastMeans::of_next(std::span<const double> values, std::span<double> means) const {
  for (std::size_t metric = 0; metric < n_metrics_; ++metric)
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const std::vector<double>& before = before_[metric];
      const std::size_t n = std::min(spans_[i] - 1, before.size());
      means[metric * spans_.size() + i] = mean_of(std::span(before).last(n), values[metric]);
    }
}

void LastMeans::learn(std::span<const double> values) {
  if (spans_.empty()) return;
  for (std::size_t metric = 0; metric < n_metrics_; ++metric) {
    std::vector<double>& before = before_[metric];
    if (before.size() >= 2 * most_before())
      before.erase(before.begin(), before.end() - static_cast<std::ptrdiff_t>(most_before()));
    before.push_back(values[metric]);
  }
}

std::vector<double> LastMeans::saved() const {
  std::vector<double> numbers;
  for (const std::vector<double>& before : before_)
    numbers.insert(numbers.end(), before.end() - static_cast<std::ptrdiff_t>(std::min(most_before(), before.size())),
                   before.end());
  return numbers;
}

void LastMeans::restore(std::span<const double> saved) {
  const std::size_t n = n_metrics_ == 0 ? 0 : saved.size() / n_metrics_;
  if (n * n_metrics_ != saved.size() || n > most_before()) throw BadFile("its means have the wrong number of values.");
  if (std::ranges::any_of(saved, [](double x) { return std::isinf(x); })) throw BadFile("its means must be finite.");
  for (std::size_t metric = 0; metric < n_metrics_; ++metric) {
    const auto own = saved.subspan(metric * n, n);
    before_[metric].assign(own.begin(), own.end());
  }
}

}  // namespace pidforest::stream
