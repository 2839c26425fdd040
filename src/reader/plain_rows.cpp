// SPDX-License-Identifier: Apache-2.0
// Processes a field 16 bytes at a time: one comparison finds its end, another one checks that it consists of digits
// with at most one point.
#include "reader/plain_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reader/plain_rows.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#ifndef PIDFOREST_DATA_PLAIN_ROWS_TABLES
#define PIDFOREST_DATA_PLAIN_ROWS_TABLES
namespace pidforest::reader {

inline constexpr std::size_t vector_size = 16;

/// Shuffle order of the digits of a short number, for each size and each position of the point (the position is the
/// size if there is no point). The last digit goes to the last lane.
class DigitOrders {
 public:
  constexpr DigitOrders() {
    for (std::size_t size = 0; size < vector_size; ++size)
      for (std::size_t point = 0; point <= size; ++point) fill(orders_[size][point], size, point);
  }

  [[nodiscard]] const std::uint8_t* of(std::size_t size, std::size_t point) const {
    return orders_[size][point].data();
  }

 private:
  using Order = std::array<std::uint8_t, vector_size>;

  static constexpr void fill(Order& order, std::size_t size, std::size_t point) {
    constexpr std::uint8_t zero = 0x80;
    order.fill(zero);
    std::size_t lane = vector_size;
    for (std::size_t place = size; place > 0; --place)
      if (place - 1 != point) order[--lane] = static_cast<std::uint8_t>(place - 1);
  }

  alignas(vector_size) std::array<std::array<Order, vector_size>, vector_size> orders_{};
};
inline constexpr DigitOrders digit_orders;

/// The bits of a digit's byte that hold its value.
inline constexpr std::uint8_t digit_bits = 0x0F;

/// Mask for the last bytes of a long number, starting at its size beyond 16. It removes the first digit and the point.
inline constexpr std::array<std::uint8_t, vector_size + 4> last_digits = [] {
  std::array<std::uint8_t, vector_size + 4> bits{};
  std::fill(bits.begin() + 2, bits.end(), digit_bits);
  return bits;
}();

/// 10^14 to 10^18.
inline constexpr std::array<std::uint64_t, 5> large_power = {100000000000000, 1000000000000000, 10000000000000000,
                                                             100000000000000000, 1000000000000000000};

}  // namespace pidforest::reader
#endif

HWY_BEFORE_NAMESPACE();
namespace pidforest::reader::HWY_NAMESPACE {

/// Reads a field that the vector code cannot, up to a separator. A line may end with CR and LF.
HWY_INLINE bool read_otherwise(const char* at, const char* end, const values::DecimalPoint& decimal, double& value) {
  const bool has_return = end != at && *end == '\n' && end[-1] == '\r';
  return values::read_plain_number(at, end - (has_return ? 1 : 0), decimal, value);
}

#if HWY_TARGET == HWY_SCALAR

using Separator = char;
HWY_INLINE Separator separator_of(char c) { return c; }

HWY_INLINE const char* read_field(const char* at, Separator separator, const values::DecimalPoint& decimal,
                                  double& value) {
  const char* const end = values::find_near(at, separator);
  return end != nullptr && read_otherwise(at, end, decimal, value) ? end : nullptr;
}

#else

namespace hn = hwy::HWY_NAMESPACE;
using Bytes = hn::Full128<std::uint8_t>;
using Vector = hn::Vec<Bytes>;
using Separator = Vector;

HWY_INLINE Separator separator_of(char c) { return hn::Set(Bytes(), static_cast<std::uint8_t>(c)); }

HWY_INLINE Vector load(const char* at) { return hn::LoadU(Bytes(), reinterpret_cast<const std::uint8_t*>(at)); }

/// Returns one bit per lane.
HWY_INLINE std::uint64_t bits_of(hn::Mask<Bytes> mask) {
  std::uint16_t bits = 0;
  hn::StoreMaskBits(Bytes(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

HWY_INLINE std::size_t first_bit(std::uint64_t bits) { return hwy::Num0BitsBelowLS1Bit_Nonzero64(bits); }

/// Maps digits to the ten smallest numbers, so that one comparison finds all other bytes.
HWY_INLINE std::uint64_t no_digits(Vector text) {
  const hn::Full128<std::int8_t> d;
  const auto moved = hn::BitCast(d, hn::Add(text, hn::Set(Bytes(), 0x80 - '0')));
  return bits_of(hn::RebindMask(Bytes(), hn::Gt(moved, hn::Set(d, -128 + 9))));
}

/// The value of sixteen digits, the first being the highest. Combines pairs, then fours, then eights, then all.
HWY_INLINE std::uint64_t value_of_digits(Vector digits) {
  const hn::Full128<std::uint16_t> d16;
  const hn::Full128<std::uint32_t> d32;
  const hn::Full128<std::uint64_t> d64;
  const auto pairs = hn::ShiftRight<8>(hn::Mul(hn::BitCast(d16, digits), hn::Set(d16, 10 << 8 | 1)));
  const auto fours = hn::ShiftRight<16>(hn::Mul(hn::BitCast(d32, pairs), hn::Set(d32, 100 << 16 | 1)));
  const auto eights = hn::Add(hn::MulEven(fours, hn::Set(d32, 10000)), hn::ShiftRight<32>(hn::BitCast(d64, fours)));
  return hn::GetLane(eights) * 100000000 + hn::ExtractLane(eights, 1);
}

/// Reads fewer than 16 bytes without a sign. The result is exact, as there are at most 15 digits. Two bits are set
/// beyond the vector for texts with fewer than two bytes that are not digits, which happens if the separator is a
/// digit.
HWY_INLINE bool read_short(const char* at, std::size_t size, char decimal, double& value) {
  const Vector text = load(at);
  const std::uint64_t stops = no_digits(text) | std::uint64_t{3} << vector_size;
  const std::size_t point = first_bit(stops);
  const bool has_point = at[point] == decimal;
  if (has_point ? first_bit(stops & (stops - 1)) != size || size == 1 : point != size || size == 0) return false;
  const Vector order = hn::Load(Bytes(), digit_orders.of(size, point));
  const Vector digits = hn::TableLookupBytesOr0(hn::And(text, hn::Set(Bytes(), digit_bits)), order);
  value = static_cast<double>(static_cast<std::int64_t>(value_of_digits(digits))) /
          values::plain_number::power_of_ten[has_point ? size - point - 1 : 0];
  return true;
}

/// Reads 16 to 20 bytes without a sign: one digit, the point, and 14 to 18 digits. `stops` has a bit for each byte that
/// is not a digit.
HWY_INLINE bool read_full(const char* at, std::size_t size, std::uint64_t stops, char decimal, double& value) {
  constexpr std::uint64_t point = 2;
  const std::size_t n_more = size - vector_size;
  if (n_more >= large_power.size() || at[1] != decimal || first_bit(stops ^ point) != size) return false;
  const Vector last = hn::And(load(at + n_more), hn::LoadU(Bytes(), last_digits.data() + n_more));
  // The digits between the point and the last sixteen: two, one after a zero, or none.
  const std::uint64_t between = values::plain_number::load(at + 2) << (8 * (20 - size)) & 0x0F0F;
  const std::uint64_t digits = static_cast<std::uint64_t>(*at - '0') * large_power[n_more] +
                               (between * (10 << 8 | 1) >> 8 & 0xFF) * large_power[2] + value_of_digits(last);
  return values::plain_number::divide(digits, static_cast<int>(size) - 2, value);
}

/// Reads the number from `at` up to the separator. Returns the position of the separator, or nullptr.
HWY_INLINE const char* read_field(const char* at, Separator separator, const values::DecimalPoint& decimal,
                                  double& value) {
  const std::uint64_t is_negative = values::plain_number::is_minus(*at);
  const Vector near = load(at);
  const std::uint64_t found_near = bits_of(hn::Eq(near, separator));
  const char* end = nullptr;
  bool is_read = false;
  if (found_near != 0) {
    const std::size_t size = first_bit(found_near);
    end = at + size;
    is_read = read_short(at + is_negative, size - is_negative, decimal.c, value);
  } else {
    const Vector far = load(at + vector_size);
    const std::uint64_t found_far = bits_of(hn::Eq(far, separator));
    if (found_far == 0) return nullptr;
    const std::size_t size = vector_size + first_bit(found_far);
    end = at + size;
    const std::uint64_t stops =
        (no_digits(near) | no_digits(far) << vector_size | std::uint64_t{1} << 32) >> is_negative;
    is_read = read_full(at + is_negative, size - is_negative, stops, decimal.c, value);
  }
  if (!is_read) return read_otherwise(at, end, decimal, value) ? end : nullptr;
  value = values::plain_number::with_sign(value, is_negative);
  return end;
}

#endif

RowPlace ReadPlainRows(const PlainRows& rows, RowPlace place, const char* end, std::span<const BatchColumn> columns) {
  const values::DecimalPoint decimal = rows.decimal;
  const Separator delimiter = separator_of(rows.delimiter);
  const Separator line_end = separator_of('\n');
  const std::size_t last = columns.size() - 1;
  const auto read = [&](Separator separator) HWY_ATTR {
    if (rows.is_number[place.column] == 0) return false;
    const char* const field_end = read_field(place.at, separator, decimal, columns[place.column].numbers[place.row]);
    if (field_end != nullptr) place.at = field_end + 1;
    return field_end != nullptr;
  };
  do {
    for (; place.column < last; ++place.column)
      if (!read(delimiter)) return place;
    if (!read(line_end)) return place;
    place = {.at = place.at, .row_begin = place.at, .column = 0, .row = place.row + 1};
  } while (place.at < end);
  return place;
}

}  // namespace pidforest::reader::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::reader {

HWY_EXPORT(ReadPlainRows);

RowPlace read_plain_rows(const PlainRows& rows, RowPlace place, const char* end, std::span<const BatchColumn> columns) {
  return HWY_DYNAMIC_DISPATCH(ReadPlainRows)(rows, place, end, columns);
}

}  // namespace pidforest::reader
#endif  // HWY_ONCE
