// SPDX-License-Identifier: Apache-2.0
#include "values/span_words.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "values/time.h"

namespace pidforest::values {

std::string span_words(std::int64_t microseconds) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units{{{"d", microseconds_per_day},
                                                                            {"h", microseconds_per_hour},
                                                                            {"min", microseconds_per_minute},
                                                                            {"s", microseconds_per_second},
                                                                            {"ms", 1'000},
                                                                            {"us", 1}}};
  std::string words;
  for (const auto& [unit, length] : units) {
    if (microseconds >= length) words += fmt::format("{}{} {}", words.empty() ? "" : " ", microseconds / length, unit);
    microseconds %= length;
  }
  return words;
}

}  // namespace pidforest::values
