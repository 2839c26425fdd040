// SPDX-License-Identifier: Apache-2.0
#include "compare/surprise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pidforest::compare_rows {

namespace {

/// k log(k / expected)
double term(double k, double expected) { return k > 0 ? k * std::log(k / expected) : 0; }

/// The surprise of a normal deviate of at least 0.
double two_sided(double z) {
  constexpr double far = 20;  // from where on erfc comes near to the smallest numbers
  if (z < far) return -std::log(std::erfc(z / std::numbers::sqrt2));
  return z * z / 2 + std::log(z * std::sqrt(std::numbers::pi / 2));
}

}  // namespace

double surprise_of_shares(const Share& then, const Share& now) {
  constexpr double fewest = 5;
  const double pooled = (then.k + now.k) / (then.n + now.n);
  const double smaller = std::min(then.n, now.n) * std::min(pooled, 1 - pooled);
  if (!(smaller >= fewest)) return 0;
  const double ratio = 2 * (term(then.k, then.n * pooled) + term(then.n - then.k, then.n * (1 - pooled)) +
                            term(now.k, now.n * pooled) + term(now.n - now.k, now.n * (1 - pooled)));
  const double z = std::sqrt(std::max(ratio, 0.0));
  return std::max(two_sided(z), 0.0);
}

std::optional<double> ratio_of_bin(const Share& then, const Share& now) {
  constexpr double fewest = 2;
  const double pooled = (then.k + now.k) / (then.n + now.n);
  if (!(std::min(then.n, now.n) * pooled >= fewest)) return std::nullopt;
  const double off_then = then.k - then.n * pooled;
  const double off_now = now.k - now.n * pooled;
  return off_then * off_then / (then.n * pooled) + off_now * off_now / (now.n * pooled);
}

double surprise_of_bins(double sum, std::size_t n_bins) {
  if (n_bins < 2) return 0;
  // By Wilson and Hilferty, the cube root of a chi-square over its degrees is about normal.
  const auto degrees = static_cast<double>(n_bins - 1);
  const double part = 2 / (9 * degrees);
  const double z = (std::cbrt(sum / degrees) - (1 - part)) / std::sqrt(part);
  constexpr double ln_2 = 0.6931471805599453;
  return z <= 0 ? 0 : two_sided(z) + ln_2;
}

double surprise_of_new(double k, double n_now, double n_then, double n_once) {
  if (k <= 0) return 0;
  if (n_once == 0) {
    // All of the k rows with it are among the later ones.
    double surprise = 0;
    for (double i = 0; i < k && i < n_now; ++i) surprise += std::log((n_then + n_now - i) / (n_now - i));
    return surprise;
  }
  // The chance of something new is about the share of what was there once.
  const double expected = n_now * (n_once + 1) / n_then;
  if (k <= expected) return 0;
  return term(k, expected) - (k - expected);  // Chernoff's bound for Poisson counts
}

}  // namespace pidforest::compare_rows
