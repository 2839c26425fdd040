// SPDX-License-Identifier: Apache-2.0
// The number that a text begins with, read quickly: the plain ones, which nearly all are. Equal to std::from_chars bit
// for bit, or no answer.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pidforest::values {

/// So many bytes behind the text that `read_plain_number` reads may be looked at.
inline constexpr std::size_t lookahead = 32;

/// What separates the whole part of a number from its fraction.
struct DecimalPoint {
  char c;
  /// Eight of it side by side, with each '0' taken off.
  std::uint64_t pattern;

  explicit DecimalPoint(char point)
      : c(point), pattern(0x0101010101010101U * static_cast<unsigned char>(point ^ '0')) {}
};

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
inline constexpr std::array<std::uint64_t, 8> small_power = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

/// 1 / 10^q = (mantissa + f) * 2^(exponent - 64), 0 < f < 1, with mantissa >= 2^63.
struct Reciprocal {
  std::uint64_t mantissa = 0;
  /// Where a double has it: 2^(exponent + 63), less the leading bit that a double does not write.
  std::uint64_t exponent_bits = 0;
};

constexpr std::array<Reciprocal, most_reciprocal + 1> make_reciprocals() {
  std::array<Reciprocal, most_reciprocal + 1> table{};
  std::uint64_t power = 5;
  for (std::size_t q = 1; q < table.size(); ++q, power *= 5) {
    const int n_bits = 64 - std::countl_zero(power);
    const int exponent = 1 - n_bits - static_cast<int>(q);
    table[q] = {.mantissa = static_cast<std::uint64_t>((Wide{1} << (63 + n_bits)) / power),
                .exponent_bits = static_cast<std::uint64_t>(1023 + exponent + 63 - 1) << 52};
  }
  return table;
}
inline constexpr std::array<Reciprocal, most_reciprocal + 1> reciprocals = make_reciprocals();

/// Eight bytes side by side, the first one lowest.
inline std::uint64_t load(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes;
}

constexpr std::uint64_t each_byte(char c) { return 0x0101010101010101U * static_cast<unsigned char>(c); }

/// The highest bit of every byte above 9, and maybe of some that come after such a one.
inline std::uint64_t no_digits(std::uint64_t bytes) {
  return ((bytes + 0x7676767676767676U) | bytes) & 0x8080808080808080U;
}

/// The highest bit of the first zero byte, and maybe of some that come after it.
inline std::uint64_t zero_bytes(std::uint64_t bytes) {
  return (bytes - 0x0101010101010101U) & ~bytes & 0x8080808080808080U;
}

/// Of eight bytes from 0 to 9, the first one the highest digit: pairs, then fours, then all.
inline std::uint64_t value_of_digits(std::uint64_t bytes) {
  constexpr std::uint64_t every_fourth = 0x000000FF000000FFU;
  bytes = bytes * 10 + (bytes >> 8);
  return ((bytes & every_fourth) * 0x000F424000000064U + ((bytes >> 16) & every_fourth) * 0x0000271000000001U) >> 32;
}

/// Up to seven digits that bytes begin with, of which each_byte('0') is taken off.
struct Digits {
  std::uint64_t value = 0;
  std::size_t n = 0;

  explicit Digits(std::uint64_t bytes) : n(static_cast<std::size_t>(std::countr_zero(no_digits(bytes))) / 8) {
    value = value_of_digits(bytes << (56 - 8 * n) << 8);
  }
};

/// Digits one after the other, added to `value`; wraps around beyond 19 of them. No branch depends on how many there
/// are but for every eighth, so that there is nothing to guess wrong.
inline const char* read_digits(const char* at, std::uint64_t& value) {
  for (;; at += 8) {
    const std::uint64_t bytes = load(at) ^ each_byte('0');
    if (no_digits(bytes) != 0) {
      const Digits digits(bytes);
      value = value * small_power[digits.n] + digits.value;
      return at + digits.n;
    }
    value = value * 100000000 + value_of_digits(bytes);
  }
}

/// value / 10^q for 1 <= q <= 27, rounded to the nearest double; false for 0 and if it is too close to call.
///
/// With w = value, shifted to fill 64 bits, the true product is w (mantissa + f), so in units of 2^64 it lies strictly
/// between its high half and that + 2, or between `high` and high + 4 when shifted to fill 64 bits in turn. All of that
/// rounds alike unless half a unit of the result, 1024, may lie in between.
inline bool divide(std::uint64_t value, int q, double& result) {
  if (value == 0) return false;
  const Reciprocal& reciprocal = reciprocals[static_cast<std::size_t>(q)];
  const int shift = std::countl_zero(value);
  auto high = static_cast<std::uint64_t>((Wide{value << shift} * reciprocal.mantissa) >> 64);
  const int shift_again = 1 - static_cast<int>(high >> 63);
  high <<= shift_again;
  if ((high & 2047) - 1021 < 3) return false;
  const std::uint64_t rounded = ((high >> 10) + 1) >> 1;
  const auto shifts = static_cast<std::uint64_t>(shift + shift_again);
  result = std::bit_cast<double>(reciprocal.exponent_bits - (shifts << 52) + rounded);
  return true;
}

/// 1 for a minus, else 0. Computed, not compared, lest a compiler makes it a branch, which half of the time is guessed
/// wrong, or sets a part of a register, which waits for what was in it before.
inline std::uint64_t is_minus(char c) {
  return (static_cast<std::uint64_t>(static_cast<unsigned char>(c ^ '-')) - 1) >> 63;
}

/// The value, or its opposite if `is_negative` is 1.
inline double with_sign(double value, std::uint64_t is_negative) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | is_negative << 63);
}

/// digits * 10^exponent; false if it takes more than this file knows. What has many digits is not divided even if that
/// is exact, as some but not all such numbers are: one way for nearly all is faster than the right guess for most.
inline bool scale(std::uint64_t digits, int exponent, double& result) {
  constexpr std::uint64_t many = 1000000000000000;
  if (digits >= many && exponent < 0 && exponent >= -most_reciprocal && divide(digits, -exponent, result)) return true;
  if (digits > all_exact_below || exponent < -most_exact || exponent > most_exact) return false;
  const double value = static_cast<double>(digits);
  result = exponent <= 0 ? value / power_of_ten[static_cast<std::size_t>(-exponent)]
                         : value * power_of_ten[static_cast<std::size_t>(exponent)];
  return true;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The exponent behind an 'e', of at most four digits; nothing if there is none.
inline const char* read_exponent(const char* at, int& exponent) {
  const bool is_negative = *at == '-';
  if (is_negative || *at == '+') ++at;
  std::uint64_t value = 0;
  const char* const end = read_digits(at, value);
  if (end == at || end - at > 4) return nullptr;
  exponent += is_negative ? -static_cast<int>(value) : static_cast<int>(value);
  return end;
}

/// The digits from `first` to `last` that count: without a decimal point or zeros before the others.
inline std::ptrdiff_t n_significant(const char* first, const char* last) {
  std::ptrdiff_t n = 0;
  for (; first != last; ++first)
    if (is_digit(*first) && (n > 0 || *first != '0')) ++n;
  return n;
}

/// Digits with or without a point among them, which is taken out.
struct ShortDigits {
  std::uint64_t value = 0;
  int n_fraction = 0;
  bool has_point = false;
};

/// From one to eight bytes; false if they are anything else, or have no digit.
inline bool read_front(const char* at, const char* end, const DecimalPoint& decimal, ShortDigits& result) {
  std::ptrdiff_t size = end - at;
  std::uint64_t bytes = (load(at) ^ each_byte('0')) << (8 * (8 - size));
  const std::uint64_t point = zero_bytes(bytes ^ decimal.pattern);
  if (point != 0) {
    const int place = std::countr_zero(point) - 7;
    const std::uint64_t before = (std::uint64_t{1} << place) - 1;
    bytes = (bytes & before) << 8 | (bytes & ~before & ~(std::uint64_t{0xFF} << place));
    result.n_fraction = 7 - place / 8;
    result.has_point = true;
    --size;
  }
  result.value = value_of_digits(bytes);
  return size > 0 && no_digits(bytes) == 0;
}

inline bool read_short(const char* at, const char* end, const DecimalPoint& decimal, double& value) {
  ShortDigits digits;
  if (!read_front(at, end, decimal, digits)) return false;
  value = static_cast<double>(digits.value) / power_of_ten[static_cast<std::size_t>(digits.n_fraction)];
  return true;
}

/// A number of 9 to 24 bytes without a sign or exponent with its point, if any, before the last 16 digits, or the
/// last 8: those are read as they stand, and what is before them like a short number.
inline bool read_usual(const char* at, const char* end, const DecimalPoint& decimal, double& value) {
  const std::uint64_t last = load(end - 8) ^ each_byte('0');
  const bool has_middle = end - at > 16;
  const std::uint64_t middle = has_middle ? load(end - 16) ^ each_byte('0') : 0;
  ShortDigits front;
  if ((no_digits(last) | no_digits(middle)) != 0 || !read_front(at, end - (has_middle ? 16 : 8), decimal, front))
    return false;
  constexpr std::uint64_t most_front = 1843;  // times 10^16 is below 2^64
  if (front.value > most_front) return false;
  std::uint64_t digits = front.value;
  if (has_middle) digits = digits * 100000000 + value_of_digits(middle);
  digits = digits * 100000000 + value_of_digits(last);
  if (!front.has_point) return digits <= all_exact_below && scale(digits, 0, value);
  return scale(digits, -(front.n_fraction + (has_middle ? 16 : 8)), value);
}

/// One digit, the point, and from 16 to 18 digits: how most doubles are written.
inline bool read_full(const char* at, const char* end, double& value) {
  const auto n_rest = static_cast<std::size_t>(end - at) - 18;
  const std::uint64_t last = load(end - 8) ^ each_byte('0');
  const std::uint64_t middle = load(end - 16) ^ each_byte('0');
  const std::uint64_t rest = (load(at + 2) ^ each_byte('0')) << (56 - 8 * n_rest) << 8;
  const auto first = static_cast<unsigned char>(*at ^ '0');
  if ((no_digits(last) | no_digits(middle) | no_digits(rest)) != 0 || first > 9) return false;
  const std::uint64_t front = first * small_power[n_rest] + value_of_digits(rest);
  const std::uint64_t digits = (front * 100000000 + value_of_digits(middle)) * 100000000 + value_of_digits(last);
  return divide(digits, 16 + static_cast<int>(n_rest), value);
}

/// A number without its sign; see read_plain_number.
inline bool read_long(const char* at, const char* end, const DecimalPoint& decimal, double& value) {
  const char* const first = at;
  std::uint64_t digits = 0;
  at = read_digits(at, digits);
  std::ptrdiff_t n_digits = at - first;
  int exponent = 0;
  bool is_integer = true;
  if (*at == decimal.c) {
    const char* const fraction = at + 1;
    at = read_digits(fraction, digits);
    n_digits += at - fraction;
    exponent = -static_cast<int>(at - fraction);
    is_integer = false;
  }
  if (n_digits == 0 || (n_digits > most_digits && n_significant(first, at) > most_digits)) return false;
  if (at != end) {
    if (*at != 'e' && *at != 'E') return false;
    at = read_exponent(at + 1, exponent);
  } else if (is_integer && digits > all_exact_below) {
    return false;
  }
  return at == end && scale(digits, exponent, value);
}

}  // namespace plain_number

/// The first `sought` of the next 32 bytes, or nothing. To know where a field ends before its number is read lets a
/// processor read several numbers at a time.
inline const char* find_near(const char* at, char sought) {
  const std::uint64_t pattern = plain_number::each_byte(sought);
  for (std::size_t i = 0; i < lookahead; i += 8) {
    const std::uint64_t found = plain_number::zero_bytes(plain_number::load(at + i) ^ pattern);
    if (found != 0) return at + i + std::countr_zero(found) / 8;
  }
  return nullptr;
}

/// Reads the number from `at` to `end`, which is not before it: -12.5e3 with any of its parts left out but the digits,
/// and with `decimal` for the point. False if it is no number, or one that takes longer: more than 19 digits, a large
/// exponent, an integer beyond 2^53.
inline bool read_plain_number(const char* at, const char* end, const DecimalPoint& decimal, double& value) {
  const std::uint64_t is_negative = plain_number::is_minus(*at);
  at += is_negative;
  const std::ptrdiff_t size = end - at;
  if (size <= 0) return false;
  const bool is_full = size >= 18 && size <= 20 && at[1] == decimal.c;
  const bool is_read = is_full      ? plain_number::read_full(at, end, value)
                       : size <= 8  ? plain_number::read_short(at, end, decimal, value)
                       : size <= 24 ? plain_number::read_usual(at, end, decimal, value)
                                    : false;
  if (!is_read && !plain_number::read_long(at, end, decimal, value)) return false;
  value = plain_number::with_sign(value, is_negative);
  return true;
}

}  // namespace pidforest::values
