// SPDX-License-Identifier: Apache-2.0
// Clock times for tests, as microseconds and as texts.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "values/time.h"

namespace pidforest::values {

inline constexpr std::int64_t second = 1'000'000;
inline constexpr std::int64_t minute = 60 * second;
inline constexpr std::int64_t hour = 60 * minute;
inline constexpr std::int64_t day = 24 * hour;

inline std::int64_t midnight(int year, unsigned month, unsigned day_of_month) {
  const std::chrono::sys_days date =
      std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day_of_month};
  return date.time_since_epoch().count() * day;
}

/// 2026-11-16 08:30:00
inline const std::int64_t half_past_eight = midnight(2026, 11, 16) + 8 * hour + 30 * minute;

/// Returns the clock time of a text, which must be a time.
inline std::int64_t clock_of(std::string_view text, DateOrder order = DateOrder::year_first) {
  const auto time = parse_time(text, order);
  if (!time) ADD_FAILURE() << "no time: " << text;
  return time ? time->clock : 0;
}

/// A time without an offset.
inline WrittenTime on_clock(std::int64_t clock) {
  return {.clock = clock, .offset_minutes = std::nullopt, .has_time_of_day = true};
}

}  // namespace pidforest::values
