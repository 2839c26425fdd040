// SPDX-License-Identifier: Apache-2.0
#include "stream/vanished_metrics.h"

#include <algorithm>
#include <cmath>

#include "pidforest/error.h"

namespace pidforest::stream {

namespace {

constexpr std::uint64_t shortest_gap = 32;
constexpr std::size_t numbers_per_metric = 3;
/// No gap is longer: later ones could not be counted.
constexpr std::uint64_t most_events = std::uint64_t{1} << 62U;

}  // namespace

std::vector<std::size_t> VanishedMetrics::vanishing(std::span<const double> values) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const Metric& metric = metrics_[i];
    if (std::isnan(values[i]) && metric.had_values && metric.gap + 1 == std::max(shortest_gap, 2 * metric.longest_gap))
      found.push_back(i);
  }
  return found;
}

void VanishedMetrics::learn(std::span<const double> values) {
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    Metric& metric = metrics_[i];
    if (std::isnan(values[i])) {
      ++metric.gap;
      continue;
    }
    if (metric.had_values) metric.longest_gap = std::max(metric.longest_gap, metric.gap);
    metric.had_values = true;
    metric.gap = 0;
  }
}

std::vector<std::uint64_t> VanishedMetrics::saved() const {
  std::vector<std::uint64_t> numbers;
  const auto never_had_gaps = [](const Metric& one) { return one.gap == 0 && one.longest_gap == 0 && one.had_values; };
  if (std::ranges::all_of(metrics_, never_had_gaps)) return numbers;
  for (const Metric& metric : metrics_)
    numbers.insert(numbers.end(), {metric.gap, metric.longest_gap, metric.had_values ? 1U : 0U});
  return numbers;
}

void VanishedMetrics::restore(std::span<const std::uint64_t> saved) {
  for (Metric& metric : metrics_) metric = {.gap = 0, .longest_gap = 0, .had_values = true};
  if (saved.empty()) return;
  if (saved.size() != numbers_per_metric * metrics_.size()) throw BadFile("its gaps have the wrong number of metrics.");
  for (Metric& metric : metrics_) {
    metric = {.gap = saved[0], .longest_gap = saved[1], .had_values = saved[2] != 0};
    if (metric.gap > most_events || metric.longest_gap > most_events)
      throw BadFile("the length of a gap is impossible.");
    saved = saved.subspan(numbers_per_metric);
  }
}

}  // namespace pidforest::stream
