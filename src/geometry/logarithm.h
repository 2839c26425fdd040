// SPDX-License-Identifier: Apache-2.0
// Logarithms from +, -, * and / alone: the C library's differ in the last bit between machines, and scores must not.
#pragma once

#include <cmath>
#include <limits>

namespace pidforest::geometry {

/// Natural logarithm of x >= 0, within 2 units in the last place; -infinity at 0.
inline double portable_log(double x, double per_octave = 0.6931471805599453, double per_nat = 1.0) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.7071067811865476) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.172: eleven odd terms leave less than 1e-18.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double s2 = s * s;
  double tail = 1.0 / 21;
  for (int odd = 19; odd >= 3; odd -= 2) tail = tail * s2 + 1.0 / odd;
  const double nats = 2 * s + 2 * s * s2 * tail;
  return exponent * per_octave + nats * per_nat;
}

/// Base-2 logarithm of x >= 0; exact at powers of two.
inline double portable_log2(double x) { return portable_log(x, 1.0, 1.4426950408889634); }

}  // namespace pidforest::geometry
