// SPDX-License-Identifier: Apache-2.0
#include "series/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pidforest::series {

namespace {

/// Sums of differences from one of the values, which keeps the variance exact to about n roundings, and that of equal
/// values 0. Four sums of each kind, so that additions need not wait for each other.
struct Sums {
  static constexpr std::size_t n = 4;
  std::array<double, n> counts{};
  std::array<double, n> values{};
  std::array<double, n> squares{};

  void add(std::size_t place, double difference) {
    const bool is_present = difference == difference;
    const double d = is_present ? difference : 0;
    counts[place] += is_present ? 1 : 0;
    values[place] += d;
    squares[place] += d * d;
  }

  static double total(const std::array<double, n>& sums) { return (sums[0] + sums[1]) + (sums[2] + sums[3]); }
};

}  // namespace

void moments_of_last(const double* last, std::size_t n_before, std::span<const std::size_t> spans,
                     std::span<SpanMoments> moments) {
  const std::size_t longest = std::min(spans.back(), n_before + 1);
  const auto at = [&](std::size_t k) { return *(last - static_cast<std::ptrdiff_t>(k)); };
  double origin = 0;
  for (std::size_t k = 0; k < longest; ++k)
    if (!std::isnan(at(k))) {
      origin = at(k);
      break;
    }
  Sums sums;
  std::size_t k = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::size_t end = std::min(spans[i], longest);
    for (; k < end && k % Sums::n != 0; ++k) sums.add(k % Sums::n, at(k) - origin);
    for (; k + Sums::n <= end; k += Sums::n)
      for (std::size_t lane = 0; lane < Sums::n; ++lane) sums.add(lane, at(k + lane) - origin);
    for (; k < end; ++k) sums.add(k % Sums::n, at(k) - origin);
    const double n = Sums::total(sums.counts);
    if (2 * n < static_cast<double>(spans[i]) || n == 0) {
      moments[i] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
      continue;
    }
    const double sum = Sums::total(sums.values);
    moments[i].mean = origin + sum / n;
    moments[i].deviation = std::sqrt(std::max(0.0, (Sums::total(sums.squares) - sum * sum / n) / n));
  }
}

}  // namespace pidforest::series
