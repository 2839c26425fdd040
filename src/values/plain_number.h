// SPDX-License-Identifier: Apache-2.0
// Fast reading of plain numbers, which nearly all numbers are. The result is bit for bit that of std::from_chars, or no
// answer.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pidforest::values {

/// `read_plain_number` may read up to this many bytes past the end of its text.
inline constexpr std::size_t lookahead = 32;

/// The character between the whole part of a number and its fraction.
struct DecimalPoint {
  char c;
  /// The character XOR '0', in each of eight bytes.
  std::uint64_t pattern;

  explicit DecimalPoint(char point)
      : c(point), pattern(0x0101010101010101U * static_cast<unsigned char>(point ^ '0')) {}
};

namespace plain_number {

__extension__ using Wide = unsigned __int128;

inline constexpr int most_digits = 19;
/// 10^22 is the largest power of ten that a double holds exactly; 5^27 is the largest power of five below 2^64.
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
  /// 2^(exponent + 63) in the bits of a double, minus the leading bit, which a double does not store.
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

/// Loads eight bytes as one integer; the first byte is the lowest.
inline std::uint64_t load(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
  return bytes;
}

constexpr std::uint64_t each_byte(char c) { return 0x0101010101010101U * static_cast<unsigned char>(c); }

/// Sets the highest bit of every byte above 9, and perhaps of bytes after such a byte.
inline std::uint64_t no_digits(std::uint64_t bytes) {
  return ((bytes + 0x7676767676767676U) | bytes) & 0x8080808080808080U;
}

/// Sets the highest bit of the first zero byte, and perhaps of bytes after it.
inline std::uint64_t zero_bytes(std::uint64_t bytes) {
  return (bytes - 0x0101010101010101U) & ~bytes & 0x8080808080808080U;
}

/// The value of eight bytes from 0 to 9, the first being the highest digit. Combines pairs, then fours, then all eight.
inline std::uint64_t value_of_digits(std::uint64_t bytes) {
  constexpr std::uint64_t every_fourth = 0x000000FF000000FFU;
  bytes = bytes * 10 + (bytes >> 8);
  return ((bytes & every_fourth) * 0x000F424000000064U + ((bytes >> 16) & every_fourth) * 0x0000271000000001U) >> 32;
}

/// Up to seven leading digits of bytes that were XORed with each_byte('0').
struct Digits {
  std::uint64_t value = 0;
  std::size_t n = 0;

  explicit Digits(std::uint64_t bytes) : n(static_cast<std::size_t>(std::countr_zero(no_digits(bytes))) / 8) {
    value = value_of_digits(bytes << (56 - 8 * n) << 8);
  }
};

/// Reads consecutive digits and appends them to `value`, which wraps around beyond 19 digits. Only every eighth digit
/// costs a branch that depends on the number of digits, so there is little to mispredict.
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

/// Computes value / 10^q for 1 <= q <= 27, rounded to the nearest double. Returns false for 0 and if it is too close to
/// call.
///
/// Let w be `value` shifted to fill 64 bits. The true product is w (mantissa + f). In units of 2^64 it lies strictly
/// between its high half and that + 2, or between `high` and high + 4 after shifting again to fill 64 bits. All numbers
/// in that range round alike unless half a unit of the result, 1024, may lie in it.
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

/// Returns 1 for a minus, else 0. Computed rather than compared: a compiler might turn the comparison into a branch,
/// which would be mispredicted half of the time, or into a partial register write, which waits for the old content.
inline std::uint64_t is_minus(char c) {
  return (static_cast<std::uint64_t>(static_cast<unsigned char>(c ^ '-')) - 1) >> 63;
}

/// Returns the value, or its opposite if `is_negative` is 1.
inline double with_sign(double value, std::uint64_t is_negative) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | is_negative << 63);
}

/// Computes digits * 10^exponent; returns false if this file has no exact way. Numbers with many digits always go
/// through `divide`, even where plain division would be exact: one path for nearly all numbers is faster than
/// predicting the right one for most.
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

/// Reads the exponent after an 'e', at most four digits. Returns nullptr if there is none.
inline const char* read_exponent(const char* at, int& exponent) {
  const bool is_negative = *at == '-';
  if (is_negative || *at == '+') ++at;
  std::uint64_t value = 0;
  const char* const end = read_digits(at, value);
  if (end == at || end - at > 4) return nullptr;
  exponent += is_negative ? -static_cast<int>(value) : static_cast<int>(value);
  return end;
}

/// Counts the significant digits from `first` to `last`: no decimal point, no leading zeros.
inline std::ptrdiff_t n_significant(const char* first, const char* last) {
  std::ptrdiff_t n = 0;
  for (; first != last; ++first)
    if (is_digit(*first) && (n > 0 || *first != '0')) ++n;
  return n;
}

/// Digits, with the decimal point, if any, removed.
struct ShortDigits {
  std::uint64_t value = 0;
  int n_fraction = 0;
  bool has_point = false;
};

/// Reads one to eight bytes. Returns false if they hold anything but digits and a point, or no digit.
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

/// Reads a number of 9 to 24 bytes without a sign or exponent. Its point, if any, must come before the last 16 digits
/// (the last 8 of a number of up to 16 bytes). These last digits are read directly, the bytes before them like a short
/// number.
inline bool read_usual(const char* at, const char* end, const DecimalPoint& decimal, double& value) {
  const std::uint64_t last = load(end - 8) ^ each_byte('0');
  const bool has_middle = end - at > 16;
  const std::uint64_t middle = has_middle ? load(end - 16) ^ each_byte('0') : 0;
  ShortDigits front;
  if ((no_digits(last) | no_digits(middle)) != 0 || !read_front(at, end - (has_middle ? 16 : 8), decimal, front))
    return false;
  constexpr std::uint64_t most_front = 1843;  // 1843 * 10^16 is below 2^64.
  if (front.value > most_front) return false;
  std::uint64_t digits = front.value;
  if (has_middle) digits = digits * 100000000 + value_of_digits(middle);
  digits = digits * 100000000 + value_of_digits(last);
  if (!front.has_point) return digits <= all_exact_below && scale(digits, 0, value);
  return scale(digits, -(front.n_fraction + (has_middle ? 16 : 8)), value);
}

/// Reads a number without its sign; see read_plain_number.
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

/// Returns the first `sought` within the next 32 bytes, or nullptr. Knowing where a field ends before its number is
/// read lets the processor work on several numbers at a time.
inline const char* find_near(const char* at, char sought) {
  const std::uint64_t pattern = plain_number::each_byte(sought);
  for (std::size_t i = 0; i < lookahead; i += 8) {
    const std::uint64_t found = plain_number::zero_bytes(plain_number::load(at + i) ^ pattern);
    if (found != 0) return at + i + std::countr_zero(found) / 8;
  }
  return nullptr;
}

/// Reads the number from `at` to `end`, with at <= end. The form is -12.5e3; every part but the digits is optional, and
/// `decimal` is the point. Returns false if the text is not a number or needs a slower method: more than 19 digits, a
/// large exponent, or an integer beyond 2^53.
inline bool read_plain_number(const char* at, const char* end, const DecimalPoint& decimal, double& value) {
  const std::uint64_t is_negative = plain_number::is_minus(*at);
  at += is_negative;
  const std::ptrdiff_t size = end - at;
  if (size <= 0) return false;
  const bool is_read = size <= 8    ? plain_number::read_short(at, end, decimal, value)
                       : size <= 24 ? plain_number::read_usual(at, end, decimal, value)
                                    : false;
  if (!is_read && !plain_number::read_long(at, end, decimal, value)) return false;
  value = plain_number::with_sign(value, is_negative);
  return true;
}

}  // namespace pidforest::values
