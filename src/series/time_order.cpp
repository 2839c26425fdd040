// SPDX-License-Identifier: Apache-2.0
#include "series/time_order.h"

#include <algorithm>

namespace pidforest::series {

namespace {

/// Samples in order that follow where a clock was set back, unless the series ends before.
constexpr std::size_t n_in_order = 16;

/// Samples in order, of which the first ones are not later than one before them.
struct Run {
  std::size_t end;
  std::size_t n_again;
};

Run run_from(std::span<const std::int64_t> times, std::size_t i, std::size_t end, std::int64_t latest) {
  Run run{.end = i, .n_again = 0};
  while (run.end < end && (run.end == i || times[run.end] >= times[run.end - 1]) &&
         (times[run.end] <= latest || run.end < i + n_in_order)) {
    run.n_again += times[run.end] <= latest ? 1 : 0;
    ++run.end;
  }
  return run;
}

/// Whether the clock was set back at sample i: at least as many samples before it, from `from` on, have the times that
/// the run has again.
bool is_set_back(std::span<const std::int64_t> times, std::size_t from, std::size_t i, const Run& run,
                 std::size_t end) {
  if (run.n_again < 2 || (run.end < i + n_in_order && run.end < end)) return false;
  const std::size_t n_looked_at = std::min(i - from, 2 * run.n_again + n_in_order);
  const std::int64_t last = times[i + run.n_again - 1];
  const auto first = times.begin() + static_cast<std::ptrdiff_t>(i - n_looked_at);
  const auto n_before = std::count_if(first, first + static_cast<std::ptrdiff_t>(n_looked_at),
                                      [&](std::int64_t time) { return time >= times[i] && time <= last; });
  return static_cast<std::size_t>(n_before) >= run.n_again;
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
  std::size_t judged = series.begin;  // the end of a run that is only late
  for (std::size_t i = series.begin + 1; i < end; ++i) {
    if (times[i] < latest && i >= judged) {
      const Run run = run_from(times, i, end, latest);
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

}  // namespace pidforest::series
