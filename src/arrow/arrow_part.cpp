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

template <class T>
T loaded(const std::byte* place) {
  T value;
  std::memcpy(&value, place, sizeof(T));
  return value;
}

[[noreturn]] void refuse(const Column& column, std::size_t i, std::string_view words) {
  throw InvalidInput(
      fmt::format("row {}, column '{}': {}.", column.first_row + i + 1, values::excerpt(column.name), words));
}

/// Shows n numbers that are converted one by one; number_at(i) returns the number of row begin + i, NaN if missing.
template <class NumberAt>
void show_numbers(std::size_t n, Scratch& scratch, Column& column, const NumberAt& number_at) {
  scratch.numbers.resize(n);
  for (std::size_t i = 0; i < n; ++i) scratch.numbers[i] = number_at(i);
  column.first = scratch.numbers.data();
  column.stride = 1;
}

template <class TextAt>
void show_texts(std::size_t n, Scratch& scratch, Column& column, const TextAt& text_at) {
  scratch.texts.resize(n);
  for (std::size_t i = 0; i < n; ++i) scratch.texts[i] = text_at(i);
  column.texts = scratch.texts.data();
  column.stride = 1;
}

class NothingPart : public ArrayPart {
 public:
  [[nodiscard]] ColumnType type() const override { return ColumnType::number; }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    show_numbers(end - begin, scratch, column, [](std::size_t) { return nan; });
  }
};

class BitPart : public ArrayPart {
 public:
  BitPart(const std::uint8_t* bits, std::size_t offset, const MissingRows& missing)
      : bits_(bits), offset_(offset), missing_(missing) {}

  [[nodiscard]] ColumnType type() const override { return ColumnType::boolean; }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    show_numbers(end - begin, scratch, column, [&](std::size_t i) {
      const std::size_t bit = offset_ + begin + i;
      return ((bits_[bit / 8] >> (bit % 8)) & 1U) != 0 ? 1.0 : 0.0;
    });
    missing_.for_each(begin, end, [&](std::size_t i) { scratch.numbers[i] = nan; });
  }

 private:
  const std::uint8_t* bits_;
  std::size_t offset_;
  MissingRows missing_;
};

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

class DecimalPart : public ArrayPart {
 public:
  DecimalPart(const Decimals& decimals, const MissingRows& missing) : decimals_(decimals), missing_(missing) {}

  [[nodiscard]] ColumnType type() const override { return ColumnType::number; }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    show_numbers(end - begin, scratch, column,
                 [&](std::size_t i) { return missing_.contain(begin + i) ? nan : number_at(begin + i, i, column); });
  }

 private:
  /// If the integer and the power of ten are both exact, the division rounds once and gives the nearest double.
  [[nodiscard]] double number_at(std::size_t row, std::size_t i, const Column& column) const {
    const WideInteger integer(decimals_.first + row * decimals_.n_bytes, decimals_.n_bytes);
    const bool is_exact =
        integer.is_below_two_to_53() && decimals_.scale >= 0 && decimals_.scale <= values::plain_number::most_exact;
    if (!is_exact) return read(integer, i, column);
    const double size = static_cast<double>(integer.low()) /
                        values::plain_number::power_of_ten[static_cast<std::size_t>(decimals_.scale)];
    return integer.is_negative ? -size : size;
  }
  [[nodiscard]] double read(const WideInteger& integer, std::size_t i, const Column& column) const {
    const std::string text = fmt::format("{}{}e{}", integer.is_negative ? "-" : "", digits_of(integer),
                                         -static_cast<std::int64_t>(decimals_.scale));
    double number = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{})
      refuse(column, i, fmt::format("{}; got {}", values::demand_for_range, text));
    return number;
  }

  Decimals decimals_;
  MissingRows missing_;
};

template <class Offset>
class OffsetTextPart : public ArrayPart {
 public:
  OffsetTextPart(const Offset* offsets, const char* bytes, const MissingRows& missing)
      : offsets_(reinterpret_cast<const std::byte*>(offsets)), bytes_(bytes), missing_(missing) {}

  [[nodiscard]] ColumnType type() const override { return ColumnType::text; }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    show_texts(end - begin, scratch, column, [&](std::size_t i) {
      return missing_.contain(begin + i) ? std::string_view() : text_at(begin + i, i, column);
    });
  }

 private:
  [[nodiscard]] Offset offset(std::size_t i) const { return loaded<Offset>(offsets_ + i * sizeof(Offset)); }
  [[nodiscard]] std::string_view text_at(std::size_t row, std::size_t i, const Column& column) const {
    const Offset first = offset(row);
    const Offset last = offset(row + 1);
    if (first == last) return "";
    if (first < 0 || last < first || bytes_ == nullptr)
      refuse(column, i, fmt::format("the text must lie within its Arrow buffer; got offsets {} to {}", first, last));
    return {bytes_ + first, static_cast<std::size_t>(last - first)};
  }

  const std::byte* offsets_;
  const char* bytes_;
  MissingRows missing_;
};

class TextViewPart : public ArrayPart {
 public:
  TextViewPart(const TextViews& views, const MissingRows& missing) : views_(views), missing_(missing) {}

  [[nodiscard]] ColumnType type() const override { return ColumnType::text; }
  void show(std::size_t begin, std::size_t end, Scratch& scratch, Column& column) const override {
    show_texts(end - begin, scratch, column, [&](std::size_t i) {
      return missing_.contain(begin + i) ? std::string_view() : text_at(begin + i, i, column);
    });
  }

 private:
  [[nodiscard]] std::string_view text_at(std::size_t row, std::size_t i, const Column& column) const {
    constexpr std::size_t view_size = 16;
    constexpr std::int32_t longest_inside = 12;
    const std::byte* view = views_.first + row * view_size;
    const auto size = loaded<std::int32_t>(view);
    if (size >= 0 && size <= longest_inside)
      return {reinterpret_cast<const char*>(view + 4), static_cast<std::size_t>(size)};
    const auto buffer = loaded<std::int32_t>(view + 8);
    const auto place = loaded<std::int32_t>(view + 12);
    const bool has_buffer = buffer >= 0 && static_cast<std::size_t>(buffer) < views_.sizes.size() &&
                            views_.buffers[static_cast<std::size_t>(buffer)] != nullptr;
    if (size < 0 || place < 0 || !has_buffer ||
        std::int64_t{place} + size > views_.sizes[static_cast<std::size_t>(buffer)])
      refuse(column, i,
             fmt::format("the text must lie within its Arrow buffer; got {} bytes at place {} of buffer {}", size,
                         place, buffer));
    return {static_cast<const char*>(views_.buffers[static_cast<std::size_t>(buffer)]) + place,
            static_cast<std::size_t>(size)};
  }

  TextViews views_;
  MissingRows missing_;
};

}  // namespace

OwnedPart part_of_nothing() { return std::make_unique<NothingPart>(); }

OwnedPart part_of_bits(const std::uint8_t* bits, std::size_t offset, const MissingRows& missing) {
  return std::make_unique<BitPart>(bits, offset, missing);
}

OwnedPart part_of_decimals(const Decimals& decimals, const MissingRows& missing) {
  return std::make_unique<DecimalPart>(decimals, missing);
}

OwnedPart part_of_texts(const std::int32_t* offsets, const char* bytes, const MissingRows& missing) {
  return std::make_unique<OffsetTextPart<std::int32_t>>(offsets, bytes, missing);
}

OwnedPart part_of_texts(const std::int64_t* offsets, const char* bytes, const MissingRows& missing) {
  return std::make_unique<OffsetTextPart<std::int64_t>>(offsets, bytes, missing);
}

OwnedPart part_of_text_views(const TextViews& views, const MissingRows& missing) {
  return std::make_unique<TextViewPart>(views, missing);
}

}  // namespace pidforest::arrow
