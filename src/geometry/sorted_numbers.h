// SPDX-License-Identifier: Apache-2.0
// Binary search without branches that depend on the numbers: a processor guesses them wrong half of the time.
#pragma once

#include <cstddef>
#include <span>

namespace pidforest::geometry {

/// How many of some numbers in increasing order are below x: the place that std::ranges::lower_bound finds.
inline std::size_t n_below(std::span<const double> sorted, double x) {
  const double* first = sorted.data();
  std::size_t n_left = sorted.size();
  for (; n_left > 1; n_left -= n_left / 2) first += (first[n_left / 2 - 1] < x ? 1U : 0U) * (n_left / 2);
  return static_cast<std::size_t>(first - sorted.data()) + (n_left == 1 && *first < x ? 1 : 0);
}

}  // namespace pidforest::geometry
