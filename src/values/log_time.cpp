// SPDX-License-Identifier: Apache-2.0
#include "values/log_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "values/read_text.h"

namespace pidforest::values {

namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::string_view digits = "0123456789";

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
}

/// A number of a few digits.
int number_in(std::string_view text) {
  int number = 0;
  for (const char c : text) number = number * 10 + (c - '0');
  return number;
}

/// The parts between blanks; none if there are more than `most_words`.
struct Words {
  static constexpr std::size_t most_words = 6;

  std::array<std::string_view, most_words> words = {};
  std::size_t n = 0;

  explicit Words(std::string_view text) {
    for (text = trimmed(text); !text.empty(); ++n) {
      if (n == most_words) {
        n = 0;
        return;
      }
      const auto end = static_cast<std::size_t>(std::ranges::find_if(text, is_blank) - text.begin());
      words[n] = text.substr(0, end);
      text = trimmed(text.substr(end));
    }
  }
  [[nodiscard]] bool is_clock(std::size_t i) const { return i < n && words[i].find(':') != std::string_view::npos; }
};

/// 10/Oct/2000:13:55:36 -0700
std::string apache_time(std::string_view text) {
  constexpr std::size_t size_of_date = std::string_view("10/Oct/2000").size();
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (text.size() <= size_of_date || text[2] != '/' || text[6] != '/' || text[size_of_date] != ':') return "";
  return fmt::format("{}-{}-{} {}", text.substr(0, 2), text.substr(3, 3), text.substr(7, 4),
                     text.substr(size_of_date + 1));
}

/// Tue Oct 10 13:55:36 2000, with or without the weekday and a zone before the year.
std::string ctime_time(const Words& text) {
  const std::size_t clock = text.is_clock(2) ? 2 : 3;
  if (!text.is_clock(clock) || text.n < clock + 2 || text.n > clock + 3) return "";
  const std::string_view weekday = clock == 3 ? text.words[0] : "";
  const std::string_view zone = text.n == clock + 3 ? text.words[clock + 1] : "";
  return std::string(trimmed(fmt::format("{} {} {}, {} {} {}", weekday, text.words[clock - 2], text.words[clock - 1],
                                         text.words[text.n - 1], text.words[clock], zone)));
}

/// Oct 10 13:55:36
std::string syslog_time(const Words& text) {
  if (text.n != 3 || !text.is_clock(2)) return "";
  return fmt::format("{} {}, 1972 {}", text.words[0], text.words[1], text.words[2]);
}

/// 2000-W41 or 2000-W41-2
std::string week_date(std::string_view text) {
  constexpr std::size_t size_of_week = std::string_view("2000-W41").size();
  const bool has_day = text.size() == size_of_week + 2 && text[size_of_week] == '-';
  if ((text.size() != size_of_week && !has_day) || text.substr(4, 2) != "-W") return "";
  if (!are_digits(text.substr(0, 4)) || !are_digits(text.substr(6, 2))) return "";
  const std::string_view day = has_day ? text.substr(size_of_week + 1) : "1";
  if (!are_digits(day) || day < "1" || day > "7" || text.substr(0, 4) == "0000") return "";
  const std::chrono::year year{number_in(text.substr(0, 4))};
  const sys_days fourth = year / std::chrono::January / 4;  // is in week 1
  const sys_days first_monday = fourth - (std::chrono::weekday(fourth) - std::chrono::Monday);
  const sys_days monday = first_monday + days(7 * (number_in(text.substr(6, 2)) - 1));
  if (monday < first_monday || year_month_day(monday + days(3)).year() != year) return "";
  const year_month_day date(monday + days(day[0] - '1'));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// 2000-10
std::string month_date(std::string_view text) {
  constexpr std::size_t size_of_month = std::string_view("2000-10").size();
  return text.size() == size_of_month && text[4] == '-' ? fmt::format("{}-01", text) : "";
}

/// 13:55 or 1:55 PM
std::string clock_time(std::string_view text) {
  const std::size_t colon = text.find(':');
  const bool begins_with_hour = (colon == 1 || colon == 2) && are_digits(text.substr(0, colon));
  return begins_with_hour ? fmt::format("1970-01-01 {}", text) : "";
}

}  // namespace

std::string rewritten_time(std::string_view text, DateOrder order) {
  text = trimmed(text);
  switch (order) {
    case DateOrder::no_date:
      return clock_time(text);
    case DateOrder::no_year:
      return syslog_time(Words(text));
    case DateOrder::no_day:
      return month_date(text);
    default:
      break;
  }
  if (std::string week = week_date(text); !week.empty()) return week;
  if (std::string time = apache_time(text); !time.empty()) return time;
  return ctime_time(Words(text));
}

}  // namespace pidforest::values
