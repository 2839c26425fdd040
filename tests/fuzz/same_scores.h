// SPDX-License-Identifier: Apache-2.0
// The laws of a stream's scores that its fuzz targets check.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/series.h"

namespace pidforest::fuzz {

/// Aborts unless the scores are equal to the last bit.
inline void require_same(const std::vector<EventScore>& a, const std::vector<EventScore>& b) {
  if (a.size() != b.size()) std::abort();
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i].bits) != std::bit_cast<std::uint64_t>(b[i].bits) ||
        a[i].is_anomaly != b[i].is_anomaly)
      std::abort();
}

/// Updates the stream with the events, if all of them fit. Aborts if a score is infinite, or if a rejected table of
/// several rows changes the stream.
inline bool update(Stream& stream, const Table& events, std::span<const std::int64_t> times,
                   std::vector<EventScore>& scores) {
  const bool are_several = events.n_rows() > 1;
  const std::string before = are_several ? stream.to_bytes() : "";
  try {
    for (const EventScore& one : stream.update(events, {}, times)) {
      if (std::isinf(one.bits)) std::abort();
      scores.push_back(one);
    }
    return true;
  } catch (const InvalidInput&) {
    if (are_several && stream.to_bytes() != before) std::abort();
    return false;
  }
}

/// Passes the events, and their times if there are any, in batches of `n_at_once` rows; of a rejected batch, row by
/// row.
inline std::vector<EventScore> updated(Stream& stream, const Table& events, std::size_t n_at_once,
                                       std::span<const std::int64_t> times = {}) {
  const auto times_of = [&](std::size_t begin, std::size_t end) {
    return times.empty() ? times : times.subspan(begin, end - begin);
  };
  std::vector<EventScore> scores;
  for (std::size_t begin = 0; begin < events.n_rows(); begin += n_at_once) {
    const std::size_t end = std::min(events.n_rows(), begin + n_at_once);
    if (update(stream, events.rows(begin, end), times_of(begin, end), scores)) continue;
    for (std::size_t row = begin; row < end && n_at_once > 1; ++row)
      (void)update(stream, events.rows(row, row + 1), times_of(row, row + 1), scores);
  }
  return scores;
}

}  // namespace pidforest::fuzz
