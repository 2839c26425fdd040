// SPDX-License-Identifier: Apache-2.0
#include "series/moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pidforest::series {

namespace {

/// The values of a series that may be missing, or all are there.
enum class Values : std::uint8_t { all, some };

/// Sums of differences from one of the values, which keeps the variance exact to about n roundings, and that of equal
/// values 0. Four sums of each kind, so that additions need not wait for each other.
template <Values values_there>
struct Sums {
  static constexpr std::size_t n = 4;
  std::array<double, n> counts{};
  std::array<double, n> values{};
  std::array<double, n> squares{};

  void add(std::size_t place, double difference) {
    const bool is_present = values_there == Values::all || difference == difference;
    const double d = is_present ? difference : 0;
    counts[place] += is_present ? 1 : 0;
    values[place] += d;
    squares[place] += d * d;
  }

  static double total(const std::array<double, n>& sums) { return (sums[0] + sums[1]) + (sums[2] + sums[3]); }
};

template <Values values_there>
void add_up(const double* last, std::size_t n_before, std::span<const std::size_t> spans,
            std::span<SpanMoments> moments) {
  using Sum = Sums<values_there>;
  const std::size_t longest = std::min(spans.back(), n_before + 1);
  const auto at = [&](std::size_t k) { return *(last - static_cast<std::ptrdiff_t>(k)); };
  double origin = 0;
  for (std::size_t k = 0; k < longest; ++k)
    if (!std::isnan(at(k))) {
      origin = at(k);
      break;
    }
  Sum sums;
  std::size_t k = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::size_t end = std::min(spans[i], longest);
    for (; k < end && k % Sum::n != 0; ++k) sums.add(k % Sum::n, at(k) - origin);
    for (; k + Sum::n <= end; k += Sum::n)
      for (std::size_t lane = 0; lane < Sum::n; ++lane) sums.add(lane, at(k + lane) - origin);
    for (; k < end; ++k) sums.add(k % Sum::n, at(k) - origin);
    const double n = Sum::total(sums.counts);
    if (2 * n < static_cast<double>(spans[i]) || n == 0) {
      moments[i] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
      continue;
    }
    const double sum = Sum::total(sums.values);
    moments[i].mean = origin + sum / n;
    moments[i].deviation = std::sqrt(std::max(0.0, (Sum::total(sums.squares) - sum * sum / n) / n));
  }
}

}  // namespace

void moments_of_last(const double* last, std::size_t n_before, std::span<const std::size_t> spans,
                     std::span<SpanMoments> moments) {
  const std::size_t n = std::min(spans.back(), n_before + 1);
  const double* const first = last - static_cast<std::ptrdiff_t>(n) + 1;
  // A sum is missing if any of its parts is.
  std::array<double, 4> sums{};
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += first[k + lane];
  for (; k < n; ++k) sums[0] += first[k];
  const bool are_all_there = !std::isnan((sums[0] + sums[1]) + (sums[2] + sums[3]));
  are_all_there ? add_up<Values::all>(last, n_before, spans, moments)
                : add_up<Values::some>(last, n_before, spans, moments);
}

}  // namespace pidforest::series
