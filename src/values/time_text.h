// SPDX-License-Identifier: Apache-2.0
// Times as text: time of day, date, and day of the year.
#pragma once

#include <cstdint>
#include <string>

namespace pidforest::values {

/// none: cut off fractions of a second. exact: write them if there are any. always: write all their digits.
enum class Fractions : std::uint8_t { none, exact, always };

/// Formats microseconds since midnight, at most 24:00: 08:30; 08:30:15 or 08:30:15.25 if there are seconds or
/// fractions.
std::string clock_text(std::int64_t since_midnight, Fractions fractions);
/// Formats microseconds since 1970-01-01 00:00: 2026-11-16, the separator and the time of day.
std::string date_time_text(std::int64_t clock, char separator, Fractions fractions);

/// Formats days since 1 January of a leap year: 02-29.
std::string day_text(int day_of_year);
/// Formats days since 1 January of a leap year: 29 February.
std::string day_words(int day_of_year);

}  // namespace pidforest::values
