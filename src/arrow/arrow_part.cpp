// SPDX-License-Identifier: Apache-2.0
#include "arrow/arrow_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/plain_number.h"
#include "values/read_text.h"

namespace pidforest::arrow {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A part whose numbers are converted one by one. number_at(row, column, i) returns the number of a row that is not
/// missing; it is value i of the column that is shown.
template <class NumberAt>
ArrayPart converted_numbers(ColumnType type, const MissingRows& missing, const NumberAt& number_at) {
  const auto show = [=](std::size_t begin, std::size_t end, Scratch& scratch, Column& column) {
    scratch.numbers.resize(end - begin);
    for (std::size_t i = 0; i < end - begin; ++i)
      scratch.numbers[i] = missing.contain(begin + i) ? nan : number_at(begin + i, column, i);
    column.first = scratch.numbers.data();
    column.stride = 1;
  };
  return {.type = type, .show = show};
}

/// Like converted_numbers, for texts.
template <class TextAt>
ArrayPart converted_texts(const MissingRows& missing, const TextAt& text_at) {
  const auto show = [=](std::size_t begin, std::size_t end, Scratch& scratch, Column& column) {
    scratch.texts.resize(end - begin);
    for (std::size_t i = 0; i < end - begin; ++i)
      scratch.texts[i] = missing.contain(begin + i) ? std::string_view() : text_at(begin + i, column, i);
    column.texts = scratch.texts.data();
    column.stride = 1;
  };
  return {.type = ColumnType::text, .show = show};
}

/// An integer of up to 256 bits: its magnitude in 32-bit words, lowest first, and its sign.
struct WideInteger {
  std::array<std::uint32_t, 8> words = {};
  bool is_negative = false;

  WideInteger(const std::byte* first, std::size_t n_bytes) {
    is_negative = (first[n_bytes - 1] & std::byte{0x80}) != std::byte{0};
    words.fill(is_negative ? ~0U : 0U);
    std::memcpy(words.data(), first, n_bytes);
    if (is_negative) negate();
  }
  void negate() {
    std::uint64_t carry = 1;
    for (std::uint32_t& word : words) {
      carry += ~word;
      word = static_cast<std::uint32_t>(carry);
      carry >>= 32U;
    }
  }
  [[nodiscard]] bool is_below_two_to_53() const {
    return words[1] < 1U << 21U && std::all_of(words.begin() + 2, words.end(), [](std::uint32_t w) { return w == 0; });
  }
  [[nodiscard]] std::uint64_t low() const { return (std::uint64_t{words[1]} << 32U) | words[0]; }
  /// Divides in place and returns the remainder.
  std::uint32_t divide_by(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = words.size(); i-- > 0;) {
      rest = (rest << 32U) | words[i];
      words[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    return static_cast<std::uint32_t>(rest);
  }
  [[nodiscard]] bool is_zero() const {
    return std::ranges::all_of(words, [](std::uint32_t word) { return word == 0; });
  }
};

/// The digits without a sign.
std::string digits_of(WideInteger integer) {
  std::string text;
  do text = fmt::format("{:09}", integer.divide_by(1'000'000'000)) + text;
  while (!integer.is_zero());
  return text;
}

double read_decimal(const WideInteger& integer, int scale, const Column& column, std::size_t i) {
  const std::string text =
      fmt::format("{}{}e{}", integer.is_negative ? "-" : "", digits_of(integer), -static_cast<std::int64_t>(scale));
  double number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{})
    refuse_row(column, i, fmt::format("{}; got {}", values::demand_for_range, text));
  return number;
}

template <class Offset>
ArrayPart part_of_offsets(const Offset* offsets, const char* bytes, const MissingRows& missing) {
  const auto* places = reinterpret_cast<const std::byte*>(offsets);
  return converted_texts(missing, [=](std::size_t row, const Column& column, std::size_t i) -> std::string_view {
    const auto first = loaded<Offset>(places + row * sizeof(Offset));
    const auto last = loaded<Offset>(places + (row + 1) * sizeof(Offset));
    if (first == last) return "";
    if (first < 0 || last < first || bytes == nullptr)
      refuse_row(column, i,
                 fmt::format("the text must lie within its Arrow buffer; got offsets {} to {}", first, last));
    return {bytes + first, static_cast<std::size_t>(last - first)};
  });
}

}  // namespace

ArrayPart part_of_nothing() {
  return converted_numbers(ColumnType::number, {}, [](std::size_t, const Column&, std::size_t) { return nan; });
}

ArrayPart part_of_bits(const std::uint8_t* bits, std::size_t offset, const MissingRows& missing) {
  return converted_numbers(ColumnType::boolean, missing, [=](std::size_t row, const Column&, std::size_t) {
    return ((bits[(offset + row) / 8] >> ((offset + row) % 8)) & 1U) != 0 ? 1.0 : 0.0;
  });
}

/// If the integer and the power of ten are both exact, the division rounds once and gives the nearest double.
ArrayPart part_of_decimals(const Decimals& decimals, const MissingRows& missing) {
  const bool is_small_scale = decimals.scale >= 0 && decimals.scale <= values::plain_number::most_exact;
  return converted_numbers(ColumnType::number, missing, [=](std::size_t row, const Column& column, std::size_t i) {
    const WideInteger integer(decimals.first + row * decimals.n_bytes, decimals.n_bytes);
    if (!is_small_scale || !integer.is_below_two_to_53()) return read_decimal(integer, decimals.scale, column, i);
    const double size = static_cast<double>(integer.low()) /
                        values::plain_number::power_of_ten[static_cast<std::size_t>(decimals.scale)];
    return integer.is_negative ? -size : size;
  });
}

ArrayPart part_of_texts(const std::int32_t* offsets, const char* bytes, const MissingRows& missing) {
  return part_of_offsets(offsets, bytes, missing);
}

ArrayPart part_of_texts(const std::int64_t* offsets, const char* bytes, const MissingRows& missing) {
  return part_of_offsets(offsets, bytes, missing);
}

ArrayPart part_of_text_views(const TextViews& views, const MissingRows& missing) {
  return converted_texts(missing, [=](std::size_t row, const Column& column, std::size_t i) -> std::string_view {
    constexpr std::size_t view_size = 16;
    constexpr std::int32_t longest_inside = 12;
    const std::byte* view = views.first + row * view_size;
    const auto size = loaded<std::int32_t>(view);
    if (size >= 0 && size <= longest_inside)
      return {reinterpret_cast<const char*>(view + 4), static_cast<std::size_t>(size)};
    const auto number = loaded<std::int32_t>(view + 8);
    const auto place = loaded<std::int32_t>(view + 12);
    const auto buffer = static_cast<std::size_t>(number);
    const bool has_buffer = number >= 0 && buffer < views.sizes.size() && views.buffers[buffer] != nullptr;
    if (size < 0 || place < 0 || !has_buffer || std::int64_t{place} + size > views.sizes[buffer])
      refuse_row(column, i,
                 fmt::format("the text must lie within its Arrow buffer; got {} bytes at place {} of buffer {}", size,
                             place, number));
    return {static_cast<const char*>(views.buffers[buffer]) + place, static_cast<std::size_t>(size)};
  });
}

}  // namespace pidforest::arrow
