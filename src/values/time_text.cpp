// SPDX-License-Identifier: Apache-2.0
#include "values/time_text.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <string_view>

#include "values/time.h"

namespace pidforest::values {

namespace {

using std::chrono::days;
using std::chrono::microseconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

struct Date {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
};

Date date_of(sys_days day) {
  const year_month_day date(day);
  return {static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day())};
}

Date date_in_leap_year(int day_of_year) {
  return date_of(sys_days(std::chrono::year{2000} / std::chrono::January / 1) + days(day_of_year));
}

/// Drops trailing zeros.
std::string fraction_text(std::int64_t microsecond) {
  std::string text = fmt::format(".{:06}", microsecond);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace

std::string clock_text(std::int64_t since_midnight, Fractions fractions) {
  const std::int64_t seconds = since_midnight / microseconds_per_second;
  const std::int64_t microsecond = fractions == Fractions::none ? 0 : since_midnight % microseconds_per_second;
  std::string text = fmt::format("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
  if (fractions == Fractions::always) return text + fmt::format(":{:02}.{:06}", seconds % 60, microsecond);
  if (seconds % 60 != 0 || microsecond != 0) text += fmt::format(":{:02}", seconds % 60);
  if (microsecond != 0) text += fraction_text(microsecond);
  return text;
}

std::string date_time_text(std::int64_t clock, char separator, Fractions fractions) {
  const sys_days day(std::chrono::floor<days>(microseconds(clock)));
  const Date date = date_of(day);
  const std::int64_t since_midnight = clock - microseconds(day.time_since_epoch()).count();
  return fmt::format("{:04}-{:02}-{:02}{}{}", date.year, date.month, date.day, separator,
                     clock_text(since_midnight, fractions));
}

std::string day_text(int day_of_year) {
  const Date date = date_in_leap_year(day_of_year);
  return fmt::format("{:02}-{:02}", date.month, date.day);
}

std::string day_words(int day_of_year) {
  const Date date = date_in_leap_year(day_of_year);
  return fmt::format("{} {}", date.day, month_names[date.month - 1]);
}

}  // namespace pidforest::values
