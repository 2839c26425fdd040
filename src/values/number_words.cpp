// SPDX-License-Identifier: Apache-2.0
#include "values/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "values/number_text.h"
#include "values/read_text.h"

namespace pidforest::values {

namespace {

/// Inserts thousands separators into digits without a sign.
std::string grouped(std::string_view digits) {
  std::string text(digits);
  for (std::size_t n = 3; n < digits.size(); n += 3) text.insert(digits.size() - n, 1, ',');
  return text;
}

double rounded(double number, int n_digits) { return read_number(fmt::format("{:.{}e}", number, n_digits - 1)).value; }

}  // namespace

std::string count_words(std::uint64_t count) { return grouped(fmt::to_string(count)); }

std::string noun_for(std::uint64_t n, std::string_view noun) {
  if (n == 1) return std::string(noun);
  const bool is_irregular = noun.ends_with('y') && !noun.ends_with("ey");
  return is_irregular ? fmt::format("{}ies", noun.substr(0, noun.size() - 1)) : fmt::format("{}s", noun);
}

std::string counted(std::uint64_t n, std::string_view noun) { return fmt::format("{} {}", n, noun_for(n, noun)); }

std::string expected_words(double count) {
  constexpr double few = 100;
  constexpr double most = 1e15;
  if (count < few || count > most) return number_words(count, 2);
  return count_words(static_cast<std::uint64_t>(rounded(count, 4)));
}

std::string number_words(double number, int n_digits) {
  constexpr std::size_t fewest_to_group = 5;
  const std::string text = shortest_text(rounded(number, n_digits));
  const std::size_t begin = text.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  if (end - begin < fewest_to_group) return text;
  return text.substr(0, begin) + grouped(std::string_view(text).substr(begin, end - begin)) + text.substr(end);
}

std::string share_words(double share) {
  constexpr double least_percentage = 1e-4;
  if (share >= 1) return "100 %";
  if (share >= least_percentage) return fmt::format("{} %", number_words(100 * share, 2));
  return fmt::format("1 in {}", number_words(1 / share, 2));
}

}  // namespace pidforest::values
