// SPDX-License-Identifier: Apache-2.0
// The number that a text begins with, read quickly: the plain ones, which nearly all are. Equal to std::from_chars bit
// for bit, or no answer.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pidforest::data {

/// So many bytes behind the text that `read_plain_number` reads may be looked at.
inline constexpr std::size_t lookahead = 32;

namespace plain_number {

__extension__ using Wide = unsigned __int128;

inline constexpr int most_digits = 19;
/// 10^22 is the largest power of ten that a double holds exactly, 5^27 the largest power of five below 2^64.
inline constexpr int most_exact = 22;
inline constexpr int most_reciprocal = 27;
inline constexpr std::uint64_t all_exact_below = std::uint64_t{1} << 53;

inline constexpr std::array<double, most_exact + 1> power_of_ten = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr std::array<std::uint64_t, 9> small_power = {1,      10,      100,      1000,     10000,
                                                             100000, 1000000, 10000000, 100000000};

/// 1 / 5^q = (mantissa + f) / 2^(63 + n_bits), 0 < f < 1, with n_bits those of 5^q, so that mantissa >= 2^63.
struct Reciprocal {
  std::uint64_t mantissa = 0;
  int n_bits = 0;
};

constexpr std::array<Reciprocal, most_reciprocal + 1> make_reciprocals() {
  std::array<Reciprocal, most_reciprocal + 1> table{};
  std::uint64_t power = 5;
  for (std::size_t q = 1; q < table.size(); ++q, power *= 5) {
    const int n_bits = 64 - std::countl_zero(power);
    table[q] = {static_cast<std::uint64_t>((Wide{1} << (63 + n_bits)) / power), n_bits};
  }
  return table;
}
inline constexpr std::array<Reciprocal, most_reciprocal + 1> reciprocals = make_reciprocals();

/// Up to eight digits that a text begins with.
struct Digits {
  std::uint64_t value = 0;
  int n = 0;
};

inline Digits leading_digits(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  bytes ^= 0x3030303030303030U;
  // A byte above 9 shows in its highest bit; what it carries spoils only the bytes behind it.
  const std::uint64_t no_digits = ((bytes + 0x7676767676767676U) | bytes) & 0x8080808080808080U;
  const int n = std::countr_zero(no_digits) / 8;
  if (n == 0) return {};
  bytes <<= 8 * (8 - n);
  bytes = bytes * 10 + (bytes >> 8);  // pairs, then fours, then all eight
  bytes = ((bytes & 0x000000FF000000FFU) * 0x000F424000000064U +
           ((bytes >> 16) & 0x000000FF000000FFU) * 0x0000271000000001U) >>
          32;
  return {bytes, n};
}

/// Digits one after the other, added to `value`; wraps around beyond 19 of them.
inline const char* read_digits(const char* at, std::uint64_t& value) {
  for (;;) {
    const Digits digits = leading_digits(at);
    value = value * small_power[static_cast<std::size_t>(digits.n)] + digits.value;
    at += digits.n;
    if (digits.n < 8) return at;
  }
}

/// value / 10^q for value > 0 and 1 <= q <= 27, rounded to the nearest double; false if that is too close to call.
///
/// With w = value, shifted to fill 64 bits, the true product is w (mantissa + f), so in units of 2^64 it lies strictly
/// between `high` and high + 2. All of that rounds alike unless half a unit of the result lies in between.
inline bool divide(std::uint64_t value, int q, double& result) {
  const Reciprocal& reciprocal = reciprocals[static_cast<std::size_t>(q)];
  const int shift = std::countl_zero(value);
  const auto high = static_cast<std::uint64_t>((Wide{value << shift} * reciprocal.mantissa) >> 64);
  const int n_dropped = 10 + static_cast<int>(high >> 63);
  const std::uint64_t half = std::uint64_t{1} << (n_dropped - 1);
  const std::uint64_t dropped = high & (2 * half - 1);
  if (dropped == half - 1) return false;
  const std::uint64_t rounded = (high >> n_dropped) + (dropped >= half ? 1 : 0);
  const int exponent = n_dropped + 1 - shift - q - reciprocal.n_bits;
  result = static_cast<double>(rounded) * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52);
  return true;
}

/// digits * 10^exponent; false if it takes more than this file knows.
inline bool scale(std::uint64_t digits, int exponent, double& result) {
  if (digits <= all_exact_below && exponent <= 0 && exponent >= -most_exact)
    result = static_cast<double>(digits) / power_of_ten[static_cast<std::size_t>(-exponent)];
  else if (digits <= all_exact_below && exponent > 0 && exponent <= most_exact)
    result = static_cast<double>(digits) * power_of_ten[static_cast<std::size_t>(exponent)];
  else
    return exponent < 0 && exponent >= -most_reciprocal && digits > 0 && divide(digits, -exponent, result);
  return true;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The exponent behind an 'e', of at most four digits; nothing if there is none.
inline const char* read_exponent(const char* at, int& exponent) {
  const bool is_negative = *at == '-';
  if (is_negative || *at == '+') ++at;
  const Digits digits = leading_digits(at);
  if (digits.n == 0 || digits.n > 4) return nullptr;
  exponent += is_negative ? -static_cast<int>(digits.value) : static_cast<int>(digits.value);
  return at + digits.n;
}

/// The digits from `first` to `last` that count: without a decimal point or zeros before the others.
inline std::ptrdiff_t n_significant(const char* first, const char* last) {
  std::ptrdiff_t n = 0;
  for (; first != last; ++first)
    if (is_digit(*first) && (n > 0 || *first != '0')) ++n;
  return n;
}

}  // namespace plain_number

/// Reads the number that begins at `at`: -12.5e3 with any of its parts left out but the digits, and with `decimal` for
/// the point. Returns where it ends, or nothing if there is no number, or one that takes longer: more than 19 digits, a
/// large exponent, an integer beyond 2^53.
inline const char* read_plain_number(const char* at, char decimal, double& value) {
  const bool is_negative = *at == '-';
  at += is_negative ? 1 : 0;
  const char* const first = at;
  std::uint64_t digits = 0;
  at = plain_number::read_digits(at, digits);
  std::ptrdiff_t n_digits = at - first;
  int exponent = 0;
  bool is_integer = true;
  if (*at == decimal) {
    const char* const fraction = at + 1;
    at = plain_number::read_digits(fraction, digits);
    n_digits += at - fraction;
    exponent = -static_cast<int>(at - fraction);
    is_integer = false;
  }
  if (n_digits == 0 ||
      (n_digits > plain_number::most_digits && plain_number::n_significant(first, at) > plain_number::most_digits))
    return nullptr;
  if (*at == 'e' || *at == 'E') {
    at = plain_number::read_exponent(at + 1, exponent);
    if (at == nullptr) return nullptr;
  } else if (is_integer && digits > plain_number::all_exact_below) {
    return nullptr;
  }
  if (!plain_number::scale(digits, exponent, value)) return nullptr;
  if (is_negative) value = -value;
  return at;
}

}  // namespace pidforest::data
