// SPDX-License-Identifier: Apache-2.0
// Times as text: the clock, the date, and the days of a year that has them all.
#pragma once

#include <cstdint>
#include <string>

namespace pidforest::values {

/// Whether fractions of a second are cut off, written where there are any, or written always with all their digits.
enum class Fractions : std::uint8_t { none, exact, always };

/// 08:30, or 08:30:15 and 08:30:15.25 where it has seconds and fractions; microseconds since midnight, 24:00 at most.
std::string clock_text(std::int64_t since_midnight, Fractions fractions);
/// 2026-11-16, the separator and the clock; microseconds since 1970-01-01 00:00.
std::string date_time_text(std::int64_t clock, char separator, Fractions fractions);

/// 02-29; days since 1 January of a leap year.
std::string day_text(int day_of_year);
/// 29 February
std::string day_words(int day_of_year);

}  // namespace pidforest::values
