// SPDX-License-Identifier: Apache-2.0
#include "values/read_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

#include "values/missing_words.h"

namespace pidforest::values {

namespace {

using Form = NumberReading::Form;

/// A text of decimal digits only is an integer; the nearest double may differ from it.
bool is_inexact_integer(std::string_view digits, double value) {
  constexpr std::size_t always_exact = std::numeric_limits<double>::digits10;
  if (digits.size() <= always_exact || digits.find_first_not_of("0123456789") != std::string_view::npos) return false;
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  std::array<char, std::numeric_limits<double>::max_exponent10 + 2> held;
  const char* end =
      std::to_chars(held.data(), held.data() + held.size(), std::abs(value), std::chars_format::fixed, 0).ptr;
  return digits != std::string_view(held.data(), end);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_word(std::string_view text, std::string_view word) {
  const auto to_lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(text, word, {}, to_lower, to_lower);
}

std::string_view NumberReading::demand() const {
  switch (form) {
    case Form::no_number:
      return "must be a number";
    case Form::out_of_range:
      return demand_for_range;
    case Form::rounded:
      return demand_for_integers;
    default:
      return "";
  }
}

NumberReading read_number(std::string_view text) {
  text = trimmed(text);
  if (text.empty() || text == "nan" || text == "NaN") return {};
  if (text.starts_with("+-")) return {.form = Form::no_number};
  const std::string_view whole = text;
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = end == text.data() + text.size() && error != std::errc::invalid_argument;
  if (!is_number || std::isnan(value)) return {.form = MissingWords::contain(whole) ? Form::word : Form::no_number};
  if (error == std::errc::result_out_of_range) return {.form = Form::out_of_range};
  if (is_inexact_integer(text.substr(text.starts_with('-') ? 1 : 0), value)) return {.form = Form::rounded};
  return {.form = Form::number, .value = value};
}

NumberReading read_number(std::string_view text, char decimal) {
  if (decimal == '.') return read_number(text);
  if (text.find('.') != std::string_view::npos) return {.form = Form::no_number};
  std::string with_point(text);
  std::ranges::replace(with_point, decimal, '.');
  return read_number(with_point);
}

std::optional<bool> read_boolean(std::string_view text) {
  text = trimmed(text);
  const auto is_one_of = [&](const std::array<std::string_view, 4>& words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return is_word(text, word); });
  };
  if (is_one_of({"true", "t", "yes", "y"})) return true;
  if (is_one_of({"false", "f", "no", "n"})) return false;
  return std::nullopt;
}

}  // namespace pidforest::values
