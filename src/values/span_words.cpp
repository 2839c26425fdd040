// SPDX-License-Identifier: Apache-2.0
#include "values/span_words.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace pidforest::values {

std::string span_words(std::int64_t microseconds) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units{
      {{"d", 86'400'000'000}, {"h", 3'600'000'000}, {"min", 60'000'000}, {"s", 1'000'000}, {"ms", 1'000}, {"us", 1}}};
  std::string words;
  for (const auto& [unit, length] : units) {
    if (microseconds >= length) words += fmt::format("{}{} {}", words.empty() ? "" : " ", microseconds / length, unit);
    microseconds %= length;
  }
  return words;
}

}  // namespace pidforest::values
