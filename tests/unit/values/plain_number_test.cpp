// SPDX-License-Identifier: Apache-2.0
#include "values/plain_number.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

namespace pidforest::values {
namespace {

/// The bits of the value, or nullopt if there is no answer. The bytes after the number must not matter.
using Answer = std::optional<std::uint64_t>;

Answer plain(const std::string& text, char next = ',') {
  const std::string in_file = text + std::string(1, next) + "123456789" + std::string(lookahead, '\0');
  double value = 0;
  if (!read_plain_number(in_file.data(), in_file.data() + text.size(), DecimalPoint('.'), value)) return std::nullopt;
  return std::bit_cast<std::uint64_t>(value);
}

Answer by_from_chars(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data(), end, value).ptr != end) return std::nullopt;
  return std::bit_cast<std::uint64_t>(value);
}

bool is_read(const std::string& text) { return plain(text).has_value(); }

void assert_equal_if_read(const std::string& text) {
  const Answer answer = plain(text);
  if (answer) RC_ASSERT(answer == by_from_chars(text));
  for (const char next : {'\n', '\0', ';'}) RC_ASSERT(plain(text, next) == answer);
}

RC_GTEST_PROP(plain_number, digits_with_any_point_and_exponent_are_read_as_from_chars_does, ()) {
  std::string text = std::to_string(*rc::gen::arbitrary<std::uint64_t>() >> *rc::gen::inRange(0, 64));
  text.insert(static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size()) + 1)), ".");
  if (*rc::gen::arbitrary<bool>()) text = "-" + text;
  assert_equal_if_read(text);
  assert_equal_if_read(text + fmt::format("e{}", *rc::gen::inRange(-330, 330)));
}

RC_GTEST_PROP(plain_number, whatever_looks_like_a_number_is_read_as_from_chars_does_or_not_at_all, ()) {
  assert_equal_if_read(*rc::gen::container<std::string>(rc::gen::element('0', '0', '1', '9', '5', '.', '-', '+', 'e')));
}

RC_GTEST_PROP(plain_number, doubles_of_daily_life_are_read, (std::uint64_t seed)) {
  const double value = static_cast<double>(seed) / 0x1p64 * std::pow(10.0, *rc::gen::inRange(-3, 6));
  for (const std::string& text : {fmt::format("{}", value), fmt::format("{:.3f}", value), fmt::format("{:.9f}", value)})
    assert_equal_if_read(text);
}

TEST(plain_number, nearly_all_numbers_of_17_digits_are_read) {
  std::uint64_t state = 1;
  int n_read = 0;
  for (int i = 0; i < 100000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::string text = fmt::format("{:.17f}", static_cast<double>(state) / 0x1p64);
    if (!is_read(text)) continue;
    ++n_read;
    ASSERT_EQ(plain(text), by_from_chars(text)) << text;
  }
  EXPECT_GT(n_read, 99800);
}

TEST(plain_number, halfway_cases_are_rounded_to_even_or_left_alone) {
  for (const char* text :
       {"9007199254740993.0", "9007199254740995.0", "0.500000000000000166533453693773481063544750213623046875",
        "4503599627370496.5", "4503599627370497.5", "1125899906842624.125", "1125899906842624.375"}) {
    const Answer answer = plain(text);
    EXPECT_TRUE(!answer || answer == by_from_chars(text)) << text;
  }
}

TEST(plain_number, all_parts_but_digits_may_be_left_out) {
  for (const char* text : {"0", "-0", "7", "1.", ".5", "-.5", "1e5", "1E+5", "1e-5", "12345678", "123456789.123456789",
                           "0.0000000000000000000001", "9007199254740992", "000000000000000000000000012"})
    EXPECT_TRUE(is_read(text)) << text;
}

TEST(plain_number, what_is_no_plain_number_has_no_answer) {
  for (const char* text : {"", "-", ".", "-.", "e5", "x", "+1", "nan", "inf", "1e", "1e+", "--1", "9007199254740993",
                           "12345678901234567890.5", "1e23", "1e-99"})
    EXPECT_FALSE(is_read(text)) << text;
}

TEST(plain_number, the_point_may_be_a_comma) {
  const std::string text = "1,5;" + std::string(lookahead, '\0');
  double value = 0;
  EXPECT_TRUE(read_plain_number(text.data(), text.data() + 3, DecimalPoint(','), value));
  EXPECT_EQ(value, 1.5);
  EXPECT_FALSE(read_plain_number(text.data(), text.data() + 3, DecimalPoint('.'), value));
}

TEST(plain_number, a_byte_is_found_within_32_bytes) {
  for (std::size_t place = 0; place < 40; ++place) {
    std::string text(80, 'x');
    text[place] = ',';
    EXPECT_EQ(find_near(text.data(), ','), place < lookahead ? text.data() + place : nullptr) << place;
    text.replace(place + 1, 39 - place, 39 - place, '-');  // '-' differs from ',' in its lowest bit
    EXPECT_EQ(find_near(text.data(), ','), place < lookahead ? text.data() + place : nullptr) << place;
  }
}

}  // namespace
}  // namespace pidforest::values
