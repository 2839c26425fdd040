// SPDX-License-Identifier: Apache-2.0
// Logarithms from +, -, * and / alone: the C library's differ in the last bit between machines, and scores must not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace pidforest::geometry {

/// x = mantissa * 2^exponent with a mantissa between sqrt(1/2) and sqrt(2), for finite x > 0.
struct BinaryParts {
  double mantissa;
  int exponent;
};

inline BinaryParts binary_parts(double x) {
  constexpr std::uint64_t mantissa_bits = (std::uint64_t{1} << 52U) - 1;
  int exponent = -1023;
  if (x < std::numeric_limits<double>::min()) {  // subnormal
    x *= 0x1p54;
    exponent -= 54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> 52U);
  const auto mantissa = std::bit_cast<double>((bits & mantissa_bits) | std::bit_cast<std::uint64_t>(1.0));
  return mantissa > std::numbers::sqrt2 ? BinaryParts{mantissa / 2, exponent + 1} : BinaryParts{mantissa, exponent};
}

/// ln m of a mantissa: 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.172; eleven odd terms leave less than 1e-18.
inline double log_of_mantissa(double mantissa) {
  const double s = (mantissa - 1) / (mantissa + 1);
  const double s2 = s * s;
  const double s4 = s2 * s2;
  const double s8 = s4 * s4;
  // The terms from s^3 on, in pairs that do not wait for each other.
  const double low = (1.0 / 3 + s2 * (1.0 / 5)) + s4 * (1.0 / 7 + s2 * (1.0 / 9));
  const double high = (1.0 / 11 + s2 * (1.0 / 13)) + s4 * (1.0 / 15 + s2 * (1.0 / 17));
  const double tail = low + s8 * (high + s8 * (1.0 / 19 + s2 * (1.0 / 21)));
  return 2 * s + 2 * s * s2 * tail;
}

/// Natural logarithm of a finite x >= 0, within 2 units in the last place; -infinity at 0.
inline double portable_log(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  const auto [mantissa, exponent] = binary_parts(x);
  return exponent * std::numbers::ln2 + log_of_mantissa(mantissa);
}

/// Base-2 logarithm of a finite x >= 0; exact at powers of two.
inline double portable_log2(double x) {
  if (x == 0) return -std::numeric_limits<double>::infinity();
  const auto [mantissa, exponent] = binary_parts(x);
  return exponent + log_of_mantissa(mantissa) * std::numbers::log2e;
}

/// e^x for x <= 0, within 2 units in the last place: x = k ln 2 + r, and thirteen terms of the series at |r| < 0.35.
inline double portable_exp(double x) {
  constexpr double smallest_exponent = -1022;
  const double k = std::floor(x * std::numbers::log2e + 0.5);
  if (!(k > smallest_exponent)) return 0;
  // The first digits of ln 2, few enough for k * ln2_high to be exact, and the rest.
  constexpr double ln2_high = 0x1.62e42fefp-1;  // NOLINT(modernize-use-std-numbers)
  constexpr double ln2_low = 0x1.473de6af278edp-34;
  const double r = (x - k * ln2_high) - k * ln2_low;
  double sum = 1;
  for (int term = 13; term > 0; --term) sum = 1 + sum * r / term;
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52U);
}

}  // namespace pidforest::geometry
