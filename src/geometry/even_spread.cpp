// SPDX-License-Identifier: Apache-2.0
#include "geometry/even_spread.h"

#include <algorithm>
#include <cmath>

#include "geometry/logarithm.h"

namespace pidforest::geometry {

namespace {

/// The chi-square statistic that is exceeded by chance as often with two degrees of freedom as `statistic` is with one:
/// -2 ln erfc(x) with x = sqrt(statistic / 2), where erfc(x) = exp(-x^2) / (sqrt(pi) t) and t is the continued fraction
/// x + (1/2) / (x + (2/2) / (x + (3/2) / ...)).
double same_level_with_two_degrees(double statistic) {
  if (statistic == 0) return 0;
  constexpr double sqrt_pi = 1.7724538509055160;
  const double x = std::sqrt(statistic / 2);
  double t = x;
  for (int k = 100; k > 0; --k) t = x + 0.5 * k / t;
  return statistic + 2 * portable_log(sqrt_pi * t);
}

struct Moments {
  double mean = 0;
  double variance = 0;
};

/// The moments of a zero-truncated Poisson variable; `rate` is the mean without the truncation.
Moments moments_without_zero(double rate) {
  constexpr double tiny = 1e-6;  // below it the first terms of the series are exact enough
  if (rate < tiny) return {1 + rate / 2, rate / 2};
  const double mean = rate / (1 - portable_exp(-rate));
  return {mean, std::max(mean * (1 + rate - mean), 0.0)};
}

/// The number of values on one side, if a unit of length has `rate` on average.
Moments moments_of(const CellSide& side, double rate) {
  Moments sum{side.other_length * rate, side.other_length * rate};
  for (const SeenCells& cells : side.seen) {
    const Moments one = moments_without_zero(rate * cells.length);
    sum.mean += cells.times * one.mean;
    sum.variance += cells.times * one.variance;
  }
  return sum;
}

double n_seen(const CellSide& side) {
  double n = 0;
  for (const SeenCells& cells : side.seen) n += cells.times;
  return n;
}

double length_of(const CellSide& side) {
  double length = side.other_length;
  for (const SeenCells& cells : side.seen) length += cells.times * cells.length;
  return length;
}

/// The moments of both sides at the rate at which they have `n` values together, on average.
struct SideMoments {
  Moments first;
  Moments second;
};

SideMoments moments_at_rate_of(double n, const CellSide& first, const CellSide& second) {
  // Newton's rule from above: the mean is convex in the rate, and its derivative is the variance divided by the rate.
  constexpr double close_enough = 1e-5;
  double rate = n / (length_of(first) + length_of(second));
  for (int step = 0;; ++step) {
    const SideMoments moments{moments_of(first, rate), moments_of(second, rate)};
    const double excess = moments.first.mean + moments.second.mean - n;
    const double next = rate - excess * rate / (moments.first.variance + moments.second.variance);
    if (step == 30 || !(next < rate * (1 - close_enough))) return moments;
    rate = std::max(next, rate * 1e-3);
  }
}

}  // namespace

Gate::Gate(double gate) : one(gate), two(same_level_with_two_degrees(gate)) {}

double likelihood_ratio(double n, double q, double p) {
  double divergence = 0;
  if (q > 0) divergence += q * portable_log(q / p);
  if (q < 1) divergence += (1 - q) * portable_log((1 - q) / (1 - p));
  return 2 * n * divergence;
}

bool is_above_gate(double n, double q, double p, double gate) {
  // The divergence lies between 2 (q - p)^2 and (q - p)^2 / (p (1 - p)).
  const double square = 2 * n * (q - p) * (q - p);
  if (2 * square > gate) return true;
  if (square <= gate * p * (1 - p)) return false;
  return likelihood_ratio(n, q, p) > gate;
}

double cell_likelihood_ratio(std::size_t n, std::size_t below, const CellSide& first, const CellSide& second) {
  const auto n_values = static_cast<double>(n);
  if (n_values <= n_seen(first) + n_seen(second)) return 0;  // one value in every seen cell: it cannot be otherwise
  const auto [a, b] = moments_at_rate_of(n_values, first, second);
  const double variance = a.variance + b.variance;
  // A coin with the same mean and variance: n = the variance of both sides, p = the first side's part of it.
  const double p = a.variance / variance;
  if (!(p > 0 && p < 1)) return 0;
  const double q = std::clamp(p + (static_cast<double>(below) - a.mean) / variance, 0.0, 1.0);
  return likelihood_ratio(variance, q, p);
}

}  // namespace pidforest::geometry
