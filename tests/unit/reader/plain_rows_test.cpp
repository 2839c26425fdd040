// SPDX-License-Identifier: Apache-2.0
#include "reader/plain_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "each_target.h"

namespace pidforest::reader {
namespace {

/// The result of reading a text: the bits of the numbers, row by row, and the position of the first field that was not
/// read.
struct ReadText {
  std::vector<std::uint64_t> numbers = {};
  std::size_t n_bytes = 0;
  std::size_t row_begin = 0;
  std::size_t column = 0;
  std::size_t n_rows = 0;

  friend bool operator==(const ReadText&, const ReadText&) = default;
};

constexpr char delimiter = ',';

ReadText read(const std::string& text, std::size_t n_columns, std::vector<std::uint8_t> is_number = {},
              char decimal = '.', char separator = delimiter) {
  is_number.resize(n_columns, 1);
  const std::string in_file = text + std::string(values::lookahead, '\0');
  const std::size_t most_rows = text.size() + 1;
  std::vector<double> numbers(n_columns * most_rows);
  std::vector<BatchColumn> columns(n_columns);
  for (std::size_t c = 0; c < n_columns; ++c) columns[c].numbers = numbers.data() + c * most_rows;
  const char* const begin = in_file.data();
  const RowPlace place = read_plain_rows({separator, values::DecimalPoint(decimal), is_number}, {begin, begin, 0, 0},
                                         begin + text.size(), columns);
  ReadText result{.n_bytes = static_cast<std::size_t>(place.at - begin),
                  .row_begin = static_cast<std::size_t>(place.row_begin - begin),
                  .column = place.column,
                  .n_rows = place.row};
  for (std::size_t i = 0; i < place.row * n_columns + place.column; ++i)
    result.numbers.push_back(std::bit_cast<std::uint64_t>(columns[i % n_columns].numbers[i / n_columns]));
  return result;
}

/// The reference: reads field by field.
ReadText read_plainly(const std::string& text, std::size_t n_columns) {
  ReadText result;
  const std::string in_file = text + std::string(values::lookahead, '\0');
  while (result.n_bytes < text.size()) {
    const bool is_last = result.column + 1 == n_columns;
    const std::size_t end = text.find(is_last ? '\n' : delimiter, result.n_bytes);
    if (end == std::string::npos || end - result.n_bytes >= values::lookahead) return result;
    const bool has_return = is_last && end > result.n_bytes && text[end - 1] == '\r';
    double value = 0;
    if (!values::read_plain_number(in_file.data() + result.n_bytes, in_file.data() + end - (has_return ? 1 : 0),
                                   values::DecimalPoint('.'), value))
      return result;
    result.numbers.push_back(std::bit_cast<std::uint64_t>(value));
    result.n_bytes = end + 1;
    result.column = is_last ? 0 : result.column + 1;
    if (is_last) result.row_begin = result.n_bytes;
    result.n_rows += is_last ? 1 : 0;
  }
  return result;
}

std::uint64_t by_from_chars(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::bit_cast<std::uint64_t>(value);
}

/// A number with 1 to 20 digits, with a point anywhere or none.
rc::Gen<std::string> decimal_number() {
  return rc::gen::exec([] {
    const int n_digits = *rc::gen::inRange(1, 21);
    std::string text(*rc::gen::arbitrary<bool>() ? "-" : "");
    const std::size_t n_before = text.size();
    for (int i = 0; i < n_digits; ++i) text.push_back(*rc::gen::inRange<char>('0', '9' + 1));
    if (*rc::gen::arbitrary<bool>())
      text.insert(n_before + static_cast<std::size_t>(*rc::gen::element(1, 1, *rc::gen::inRange(0, n_digits + 1))), 1,
                  '.');
    return text;
  });
}

rc::Gen<std::string> nearly_a_number() {
  return rc::gen::container<std::string>(rc::gen::weightedElement<char>(
      {{5, '0'}, {5, '1'}, {5, '9'}, {2, '.'}, {1, '-'}, {1, 'e'}, {1, '\r'}, {1, ' '}}));
}

std::string make_row(const std::vector<std::string>& fields) { return fmt::format("{}\n", fmt::join(fields, ",")); }

RC_GTEST_PROP(PlainRows, numbers_are_read_as_from_chars_does_by_all_instructions, ()) {
  const auto fields = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(decimal_number()));
  const std::string text = make_row(fields) + make_row(fields);
  for_each_target([&] {
    const ReadText result = read(text, fields.size());
    for (std::size_t i = 0; i < result.numbers.size(); ++i)
      RC_ASSERT(result.numbers[i] == by_from_chars(fields[i % fields.size()]));
  });
}

RC_GTEST_PROP(PlainRows, vectors_stop_where_reading_field_by_field_does, ()) {
  const auto fields = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(
      rc::gen::weightedOneOf<std::string>({{6, decimal_number()}, {1, nearly_a_number()}})));
  const std::string line_end = *rc::gen::element<std::string>("", "\n", "\r\n", "\n\n");
  const std::string text = fmt::format("{}{}", fmt::join(fields, ","), line_end) + make_row(fields);
  const auto n_columns = *rc::gen::element<std::size_t>(1, fields.size(), fields.size() + 1);
  const ReadText plainly = read_plainly(text, n_columns);
  for_each_target([&] { RC_ASSERT(read(text, n_columns) == plainly); });
}

TEST(PlainRows, numbers_of_every_size_are_read) {
  constexpr std::string_view digits = "90712654837265";
  std::vector<std::string> fields;
  for (std::size_t size = 1; size <= digits.size(); ++size)
    for (std::size_t point = 0; point <= size; ++point)
      for (const char* sign : {"", "-"})
        fields.push_back(fmt::format("{}{}.{}", sign, digits.substr(0, point), digits.substr(point, size - point)));
  for (std::size_t size = 14; size <= 18; ++size)
    for (const char* front : {"0.", "-7."})
      fields.push_back(fmt::format("{}{}", front, std::string_view("123456789987654321").substr(0, size)));
  for_each_target([&] {
    const ReadText result = read(make_row(fields), fields.size());
    ASSERT_EQ(result.n_rows, 1U);
    for (std::size_t i = 0; i < fields.size(); ++i) EXPECT_EQ(result.numbers[i], by_from_chars(fields[i])) << fields[i];
  });
}

TEST(PlainRows, what_is_no_number_is_where_reading_stops) {
  for (const char* field :
       {"", "-", ".", "-.", "1.2.3", "1 ", "x", "1-", "--1", "1\r\r", "12345678901234567890123456789012"})
    for_each_target([&] {
      const ReadText result = read(fmt::format("1,2\n3,{}\n4,5\n", field), 2);
      EXPECT_EQ(result.n_rows, 1U) << field;
      EXPECT_EQ(result.column, 1U) << field;
      EXPECT_EQ(result.n_bytes, 6U) << field;
      EXPECT_EQ(result.row_begin, 4U) << field;
    });
}

TEST(PlainRows, only_lines_may_end_with_a_return) {
  for_each_target([] {
    EXPECT_EQ(read("1,2\r\n3,4\r\n", 2).n_rows, 2U);
    EXPECT_EQ(read("1\r,2\n", 2).column, 0U);
    EXPECT_EQ(read("\r\n", 1).n_rows, 0U);
  });
}

TEST(PlainRows, columns_that_are_not_wanted_stop_it) {
  for_each_target([] {
    const ReadText result = read("1,2,3\n4,5,6\n", 3, {1, 0, 1});
    EXPECT_EQ(result.n_rows, 0U);
    EXPECT_EQ(result.column, 1U);
    EXPECT_EQ(result.n_bytes, 2U);
  });
}

TEST(PlainRows, any_delimiter_and_decimal_point_may_be) {
  for_each_target([] {
    EXPECT_EQ(read("1,5;-2,25\n", 2, {}, ',', ';').numbers,
              (std::vector{std::bit_cast<std::uint64_t>(1.5), std::bit_cast<std::uint64_t>(-2.25)}));
    EXPECT_EQ(read("1.5-2\n", 2, {}, '.', '-').n_rows, 1U);
    EXPECT_EQ(read("-11111111111111111111\n", 2, {}, '.', '-').n_rows, 0U);
    EXPECT_EQ(read("157\n", 2, {}, '.', '5').n_rows, 1U);
    EXPECT_EQ(read("1.111111111111111111111115111111111111111\n", 2, {}, '.', '5').n_rows, 0U);
  });
}

}  // namespace
}  // namespace pidforest::reader
