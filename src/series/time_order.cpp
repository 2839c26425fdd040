// SPDX-License-Identifier: Apache-2.0
#include "series/time_order.h"

#include <algorithm>

namespace pidforest::series {

namespace {

/// As many late events in a row make a stream take its clock for set back.
constexpr std::size_t n_late_in_order = 16;

/// Whether the samples from `i` on go on from a clock that was set back below `latest`, instead of being out of order.
bool is_set_back(std::span<const std::int64_t> times, std::size_t i, std::size_t end, std::int64_t latest) {
  if (end - i < n_late_in_order) return false;
  for (std::size_t k = i; k < i + n_late_in_order; ++k)
    if (times[k] >= latest || (k > i && times[k] < times[k - 1])) return false;
  return true;
}

}  // namespace

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
  for (std::size_t i = series.begin + 1; i < end; ++i) {
    if (times[i] < latest && is_set_back(times, i, end, latest)) {
      sort(from, i);
      from = i;
      starts[i] = true;
      ++order.n_set_back;
      latest = times[i];
      continue;
    }
    order.n_late += times[i] < latest ? 1 : 0;
    latest = std::max(latest, times[i]);
  }
  sort(from, end);
}

}  // namespace pidforest::series
