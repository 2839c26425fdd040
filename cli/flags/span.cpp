// SPDX-License-Identifier: Apache-2.0
#include "flags/span.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

#include "pidforest/error.h"
#include "values/time.h"

namespace pidforest::cli {

std::int64_t parse_span(std::string_view flag, const std::string& text) {
  constexpr std::int64_t longest_count = 1'000'000;
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> units{{{"ms", 1'000},
                                                                            {"s", values::microseconds_per_second},
                                                                            {"min", values::microseconds_per_minute},
                                                                            {"h", values::microseconds_per_hour},
                                                                            {"d", values::microseconds_per_day}}};
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view rest(end, text.data() + text.size());
  for (const auto& [unit, length] : units)
    if (error == std::errc() && rest == unit && count >= 0 && count <= longest_count) return count * length;
  throw InvalidOption(fmt::format("{} must be a whole number up to {} and ms, s, min, h or d, such as 10min; got {}.",
                                  flag, longest_count, text));
}

}  // namespace pidforest::cli
