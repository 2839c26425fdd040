// SPDX-License-Identifier: Apache-2.0
#include "values/time.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <span>
#include <utility>

#include "values/log_time.h"
#include "values/read_text.h"

namespace pidforest::values {

namespace {

using std::chrono::days;
using std::chrono::microseconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct Number {
  int value = 0;
  int n_digits = 0;

  [[nodiscard]] bool has_one_or_two_digits() const { return n_digits == 1 || n_digits == 2; }
};

/// Reads a text from left to right.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  [[nodiscard]] bool at_end() const { return at_ == end_; }
  [[nodiscard]] bool sees_digit() const { return !at_end() && is_digit(*at_); }
  [[nodiscard]] bool sees_letter() const { return !at_end() && is_letter(*at_); }

  /// Takes any character; returns NUL at the end.
  char take() { return at_end() ? '\0' : *at_++; }
  bool take(char c) {
    const bool is_here = !at_end() && *at_ == c;
    at_ += is_here ? 1 : 0;
    return is_here;
  }
  bool take_blanks() {
    const char* first = at_;
    while (!at_end() && is_blank(*at_)) ++at_;
    return at_ != first;
  }
  /// Takes a separator between the parts of a date; ' ' matches any number of blanks.
  bool take_separator(char c) { return c == ' ' ? take_blanks() : take(c); }

  /// Reads at most nine digits; further digits stay unread.
  Number number() {
    Number number;
    for (; sees_digit() && number.n_digits < 9; ++number.n_digits) number.value = number.value * 10 + (*at_++ - '0');
    return number;
  }
  std::string_view word() {
    const char* first = at_;
    while (sees_letter()) ++at_;
    return {first, at_};
  }

 private:
  const char* at_;
  const char* end_;
};

/// Returns the index, from 1, of a name that is written out or cut to three letters; 0 if no name matches.
int place_of_name(std::string_view word, std::span<const std::string_view> names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if ((word.size() == 3 || word.size() == names[i].size()) && is_word(word, names[i].substr(0, word.size())))
      return static_cast<int>(i) + 1;
  return 0;
}

/// The functions below store the value that they read and return whether it was there.
bool read_digits(Cursor& text, int& part, int fewest, int most) {
  const Number number = text.number();
  part = number.value;
  return number.n_digits >= fewest && number.n_digits <= most;
}

bool read_one_or_two_digits(Cursor& text, int& part) { return read_digits(text, part, 1, 2); }
bool read_two_digits(Cursor& text, int& part) { return read_digits(text, part, 2, 2); }

/// A date as written; it may not exist in the calendar.
struct Date {
  int year = 0;
  int month = 0;
  int day = 0;
  bool is_basic = false;
};

bool read_year(Cursor& text, Date& date) { return read_digits(text, date.year, 4, 4); }

bool read_month_name(Cursor& text, Date& date) {
  date.month = place_of_name(text.word(), month_names);
  return date.month != 0;
}

/// Reads the rest of 2026-11-16 or 2026/11/16 after the year.
bool read_after_year(Cursor& text, Date& date) {
  const char separator = text.take();
  if (separator != '-' && separator != '/') return false;
  return read_one_or_two_digits(text, date.month) && text.take(separator) && read_one_or_two_digits(text, date.day);
}

/// Reads the rest of 16.11.2026, 16/11/2026, 11/16/2026 or 16 Nov 2026 after the first number, which is in `date.day`.
bool read_after_day_or_month(Cursor& text, DateOrder order, Date& date) {
  const bool has_blanks = text.take_blanks();
  const char separator = has_blanks ? ' ' : text.take();
  if (text.sees_letter())
    return (has_blanks || separator == '-') && read_month_name(text, date) && text.take_separator(separator) &&
           read_year(text, date);
  if (separator != '.' && (separator != '/' || order == DateOrder::year_first)) return false;
  if (!read_one_or_two_digits(text, date.month) || !text.take(separator)) return false;
  if (separator == '/' && order == DateOrder::month_first) std::swap(date.month, date.day);
  return read_year(text, date);
}

/// Reads the rest of Nov 16, 2026 after the month.
bool read_after_month_name(Cursor& text, Date& date) {
  if (!text.take_blanks() || !read_one_or_two_digits(text, date.day)) return false;
  text.take(',');
  return text.take_blanks() && read_year(text, date);
}

bool split_basic_date(int eight_digits, Date& date) {
  date = {eight_digits / 10000, eight_digits / 100 % 100, eight_digits % 100, true};
  return true;
}

bool read_date(Cursor& text, DateOrder order, Date& date) {
  if (text.sees_letter()) return read_month_name(text, date) && read_after_month_name(text, date);
  const Number first = text.number();
  if (first.n_digits == 8) return split_basic_date(first.value, date);
  (first.n_digits == 4 ? date.year : date.day) = first.value;
  if (first.n_digits == 4) return read_after_year(text, date);
  return first.has_one_or_two_digits() && read_after_day_or_month(text, order, date);
}

/// Reads a weekday (1 = Monday) and the separator after it. Returns 0 and reads nothing if there is no weekday.
int read_weekday(Cursor& text) {
  if (!text.sees_letter()) return 0;
  Cursor after = text;
  const int weekday = place_of_name(after.word(), weekday_names);
  const bool has_comma = after.take(',');
  const bool is_apart = after.take_blanks() || has_comma;
  if (weekday == 0 || !is_apart) return 0;
  text = after;
  return weekday;
}

int iso_weekday(sys_days day) { return static_cast<int>(std::chrono::weekday(day).iso_encoding()); }

/// Returns whether the date exists in the calendar and matches the weekday, if one was written.
bool find_day(const Date& date, int weekday, sys_days& day) {
  const year_month_day in_calendar{std::chrono::year{date.year}, std::chrono::month{static_cast<unsigned>(date.month)},
                                   std::chrono::day{static_cast<unsigned>(date.day)}};
  if (date.year < 1 || !in_calendar.ok()) return false;
  day = in_calendar;
  return weekday == 0 || weekday == iso_weekday(day);
}

struct TimeOfDay {
  int hour = 0;
  int minute = 0;
  int second = 0;
  int microsecond = 0;

  [[nodiscard]] std::int64_t microseconds_since_midnight() const {
    return ((hour * 60 + minute) * 60 + second) * microseconds_per_second + microsecond;
  }
  /// A leap second ends a day of UTC, which is at a quarter of an hour everywhere. 24:00 is the midnight after.
  [[nodiscard]] bool is_valid() const {
    if (hour == 24) return minute == 0 && second == 0 && microsecond == 0;
    const bool is_leap_second = second == 60 && minute % 15 == 14;
    return hour < 24 && minute < 60 && (second < 60 || is_leap_second);
  }
};

/// Reads a fraction of a second as microseconds, truncated; without a fraction the result is 0.
bool read_fraction(Cursor& text, int& microsecond) {
  if (!text.take('.') && !text.take(',')) return true;
  const bool has_digits = text.sees_digit();
  for (int i = 0; i < 6; ++i) microsecond = microsecond * 10 + (text.sees_digit() ? text.take() - '0' : 0);
  while (text.sees_digit()) text.take();
  return has_digits;
}

/// Reads 0830 or 083000.25.
bool read_basic_clock(Cursor& text, TimeOfDay& clock) {
  const Number number = text.number();
  const int six_digits = number.n_digits == 4 ? number.value * 100 : number.value;
  clock = {six_digits / 10000, six_digits / 100 % 100, six_digits % 100};
  return number.n_digits == 4 || (number.n_digits == 6 && read_fraction(text, clock.microsecond));
}

/// Reads 8:30, 08:30 or 08:30:00.25.
bool read_clock(Cursor& text, TimeOfDay& clock) {
  if (!read_one_or_two_digits(text, clock.hour) || !text.take(':') || !read_two_digits(text, clock.minute))
    return false;
  return !text.take(':') || (read_two_digits(text, clock.second) && read_fraction(text, clock.microsecond));
}

/// Adjusts the hour if AM or PM follows.
bool read_half_of_day(Cursor& text, TimeOfDay& clock) {
  Cursor after = text;
  after.take_blanks();
  const std::string_view word = after.word();
  const bool is_pm = is_word(word, "pm");
  if (!is_pm && !is_word(word, "am")) return true;
  text = after;
  const bool is_on_dial = clock.hour >= 1 && clock.hour <= 12;
  clock.hour = clock.hour % 12 + (is_pm ? 12 : 0);
  return is_on_dial;
}

/// Takes the separator between a date and a time of day: T, blanks, or a comma and blanks. A basic date needs T,
/// because two numbers with a blank between them are not a time.
bool take_middle(Cursor& text, bool is_basic) {
  if (text.take('T') || text.take('t')) return true;
  if (is_basic) return false;
  text.take(',');
  return text.take_blanks();
}

bool read_time_of_day(Cursor& text, bool is_basic, TimeOfDay& clock) {
  if (!take_middle(text, is_basic)) return false;
  const bool is_read =
      is_basic ? read_basic_clock(text, clock) : read_clock(text, clock) && read_half_of_day(text, clock);
  return is_read && clock.is_valid();
}

/// Reads +01:00, +0100 or +01, in minutes.
bool read_numeric_offset(Cursor& text, int& offset_minutes) {
  const char sign = text.take();
  if (sign != '+' && sign != '-') return false;
  const Number first = text.number();
  const bool is_compact = first.n_digits == 4;
  if (!is_compact && first.n_digits != 2) return false;
  const int hours = is_compact ? first.value / 100 : first.value;
  int minutes = is_compact ? first.value % 100 : 0;
  if (!is_compact && text.take(':') && !read_two_digits(text, minutes)) return false;
  offset_minutes = (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
  return hours < 24 && minutes < 60;
}

bool read_offset(Cursor& text, int& offset_minutes) {
  text.take_blanks();
  if (!text.sees_letter()) return read_numeric_offset(text, offset_minutes);
  const std::string_view word = text.word();
  return is_word(word, "z") || is_word(word, "utc") || is_word(word, "gmt");
}

constexpr std::int64_t microseconds_of(days n) { return microseconds(n).count(); }
constexpr days after_year_9999 =
    sys_days(std::chrono::year{10000} / std::chrono::January / std::chrono::day{1}).time_since_epoch();
/// The Gregorian calendar, weekdays included, repeats after 400 years.
constexpr days calendar_cycle{146097};

constexpr std::int64_t microseconds_per(Resolution resolution) {
  switch (resolution) {
    case Resolution::hour:
      return microseconds_per_hour;
    case Resolution::minute:
      return 60'000'000;
    case Resolution::second:
      return microseconds_per_second;
    case Resolution::microsecond:
      break;
  }
  return 1;
}

std::int64_t remainder_not_negative(std::int64_t a, std::int64_t b) { return (a % b + b) % b; }

/// Day of a leap year, from 0, so that every date has the same number in all years.
std::int64_t day_of_year(year_month_day date) {
  constexpr std::chrono::year leap{2000};
  return (sys_days(leap / date.month() / date.day()) - sys_days(leap / std::chrono::January / 1)).count();
}

}  // namespace

namespace {

std::optional<WrittenTime> parse_calendar_time(std::string_view text, DateOrder order) {
  Cursor cursor(trimmed(text));
  const int weekday = read_weekday(cursor);
  Date date;
  sys_days day;
  if (!read_date(cursor, order, date) || !find_day(date, weekday, day)) return {};
  TimeOfDay clock;
  const bool is_date_alone = cursor.at_end() && !date.is_basic;
  if (!is_date_alone && !read_time_of_day(cursor, date.is_basic, clock)) return {};
  int offset_minutes = 0;
  const bool has_offset = !cursor.at_end();
  if (has_offset && !(read_offset(cursor, offset_minutes) && cursor.at_end())) return {};
  const std::int64_t time = microseconds_of(day.time_since_epoch()) + clock.microseconds_since_midnight();
  if (time >= microseconds_of(after_year_9999)) return {};
  return WrittenTime{time, has_offset ? std::optional(offset_minutes) : std::nullopt, !is_date_alone};
}

}  // namespace

std::optional<WrittenTime> parse_time(std::string_view text, DateOrder order) {
  const bool is_of_calendar =
      order == DateOrder::year_first || order == DateOrder::day_first || order == DateOrder::month_first;
  if (is_of_calendar)
    if (const auto time = parse_calendar_time(text, order)) return time;
  const std::string rewritten = rewritten_time(text, order);
  return rewritten.empty() ? std::nullopt : parse_calendar_time(rewritten, DateOrder::year_first);
}

std::int64_t derived_cell(Derivation derivation, Resolution resolution, std::int64_t local) {
  const microseconds since_1970(remainder_not_negative(local, microseconds_of(calendar_cycle)));
  const sys_days day(std::chrono::floor<days>(since_1970));
  switch (derivation) {
    case Derivation::hour_of_day:
      return (since_1970 - microseconds(day.time_since_epoch())).count() / microseconds_per(resolution);
    case Derivation::day_of_week:
      return iso_weekday(day) - 1;
    case Derivation::month:
      return static_cast<unsigned>(year_month_day(day).month()) - 1;
    case Derivation::day_of_year:
      return day_of_year(day);
    case Derivation::epoch:
      break;
  }
  assert(false && "an epoch has no cells");
  return 0;
}

std::int64_t n_derived_cells(Derivation derivation, Resolution resolution) {
  switch (derivation) {
    case Derivation::hour_of_day:
      return microseconds_of(days(1)) / microseconds_per(resolution);
    case Derivation::day_of_week:
      return 7;
    case Derivation::month:
      return 12;
    case Derivation::day_of_year:
      return 366;
    case Derivation::epoch:
      break;
  }
  assert(false && "an epoch has no cells");
  return 0;
}

}  // namespace pidforest::values
