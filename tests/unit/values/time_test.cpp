// SPDX-License-Identifier: Apache-2.0
#include "values/time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "unit/values/clock.h"

namespace pidforest::values {
namespace {

constexpr std::array orders{DateOrder::year_first, DateOrder::day_first, DateOrder::month_first};

std::optional<int> offset_of(std::string_view text) {
  const auto time = parse_time(text, DateOrder::year_first);
  return time ? time->offset_minutes : std::nullopt;
}

bool is_time(std::string_view text) {
  return std::ranges::any_of(orders, [&](DateOrder order) { return parse_time(text, order).has_value(); });
}

TEST(parse_time, iso_dates_and_times_are_read) {
  EXPECT_EQ(clock_of("1970-01-01"), 0);
  EXPECT_EQ(clock_of("2026-11-16"), midnight(2026, 11, 16));
  for (const char* text :
       {"2026-11-16T08:30", "2026-11-16T08:30:00", "2026-11-16t08:30:00z", "2026-11-16 08:30", "2026-11-16 8:30",
        "2026/11/16 08:30", "20261116T083000Z", "20261116t0830", "  2026-11-16T08:30:00.000+01:00\n"})
    EXPECT_EQ(clock_of(text), half_past_eight) << text;
}

TEST(parse_time, dates_with_names_of_months_are_read) {
  for (const char* text : {"16 Nov 2026 08:30", "16 november 2026 08:30", "16-NOV-2026 08:30", "Nov 16, 2026 08:30",
                           "November 16 2026 8:30", "Mon, 16 Nov 2026 08:30:00 +0100",
                           "Monday, November 16, 2026, 8:30 AM", "mon 16 Nov 2026 08:30:00 GMT"})
    EXPECT_EQ(clock_of(text), half_past_eight) << text;
}

TEST(parse_time, times_of_logs_are_read) {
  for (const char* text : {"16/Nov/2026:08:30:00 +0100", "[16/Nov/2026:08:30:00 +0100]", "16/Nov/2026:08:30:00",
                           "Mon Nov 16 08:30:00 2026", "Nov 16 08:30:00 2026", "Mon Nov 16 08:30:00 UTC 2026"})
    EXPECT_EQ(clock_of(text), half_past_eight) << text;
  EXPECT_EQ(offset_of("16/Nov/2026:08:30:00 +0100"), 60);
  EXPECT_FALSE(is_time("Tue Nov 16 08:30:00 2026"));
  EXPECT_FALSE(is_time("16/Nov/2026"));
}

TEST(parse_time, an_iso_week_begins_on_its_monday) {
  EXPECT_EQ(clock_of("2026-W47"), midnight(2026, 11, 16));
  EXPECT_EQ(clock_of("2026-W47-3"), midnight(2026, 11, 18));
  EXPECT_EQ(clock_of("2026-W01"), midnight(2025, 12, 29));
  EXPECT_EQ(clock_of("2020-W53-7"), midnight(2021, 1, 3));
  for (const char* text : {"2026-W00", "2025-W53", "2026-W54", "2026-W47-0", "2026-W47-8", "2026-W4", "0000-W10"})
    EXPECT_FALSE(is_time(text)) << text;
}

TEST(parse_time, times_that_lack_a_part_need_an_order_of_their_own) {
  EXPECT_EQ(clock_of("14:05", DateOrder::no_date), 14 * microseconds_per_hour + 5 * microseconds_per_minute);
  EXPECT_EQ(clock_of("2:05 PM", DateOrder::no_date), clock_of("14:05", DateOrder::no_date));
  EXPECT_EQ(clock_of("Nov 16 08:30:00", DateOrder::no_year), clock_of("1972-11-16 08:30"));
  EXPECT_EQ(clock_of("Feb 29 08:30:00", DateOrder::no_year), clock_of("1972-02-29 08:30"));
  EXPECT_EQ(clock_of("2026-11", DateOrder::no_day), midnight(2026, 11, 1));
  for (const char* text : {"14:05", "Nov 16 08:30:00", "2026-11"}) EXPECT_FALSE(is_time(text)) << text;
  for (const DateOrder order : {DateOrder::no_date, DateOrder::no_year, DateOrder::no_day})
    for (const char* text : {"2026-11-16 08:30", "25:00", "2026-13", "Foo 16 08:30:00", "1405", "", ":", "-"})
      EXPECT_FALSE(parse_time(text, order)) << text;
}

TEST(parse_time, days_and_months_of_one_digit_are_read_between_separators) {
  const std::int64_t expected = midnight(2026, 2, 3);
  for (const char* text : {"2026-2-3", "2026/2/3", "3.2.2026", "03.02.2026", "3 Feb 2026", "Feb  3, 2026"})
    EXPECT_EQ(clock_of(text), expected) << text;
  EXPECT_EQ(clock_of("3/2/2026", DateOrder::day_first), expected);
  EXPECT_EQ(clock_of("2/3/2026", DateOrder::month_first), expected);
}

TEST(parse_time, the_order_decides_between_day_and_month_of_slashed_dates_only) {
  EXPECT_EQ(clock_of("03/04/2026", DateOrder::day_first), midnight(2026, 4, 3));
  EXPECT_EQ(clock_of("03/04/2026", DateOrder::month_first), midnight(2026, 3, 4));
  EXPECT_FALSE(parse_time("03/04/2026", DateOrder::year_first));
  EXPECT_FALSE(parse_time("16/11/2026", DateOrder::month_first));
  EXPECT_FALSE(parse_time("11/16/2026", DateOrder::day_first));
  for (const DateOrder order : orders) {
    EXPECT_EQ(clock_of("03.04.2026", order), midnight(2026, 4, 3));
    EXPECT_EQ(clock_of("2026/03/04", order), midnight(2026, 3, 4));
  }
}

TEST(parse_time, a_date_alone_has_no_time_of_day) {
  EXPECT_FALSE(parse_time("2026-11-16", DateOrder::year_first)->has_time_of_day);
  EXPECT_FALSE(parse_time("16 Nov 2026", DateOrder::year_first)->has_time_of_day);
  EXPECT_TRUE(parse_time("2026-11-16 00:00", DateOrder::year_first)->has_time_of_day);
}

TEST(parse_time, offsets_are_minutes_east_of_utc) {
  EXPECT_EQ(offset_of("2026-11-16T08:30"), std::nullopt);
  EXPECT_EQ(offset_of("2026-11-16T08:30Z"), 0);
  EXPECT_EQ(offset_of("2026-11-16 08:30 UTC"), 0);
  EXPECT_EQ(offset_of("2026-11-16 08:30:00 gmt"), 0);
  EXPECT_EQ(offset_of("2026-11-16T08:30-00:00"), 0);
  EXPECT_EQ(offset_of("2026-11-16T08:30+01:00"), 60);
  EXPECT_EQ(offset_of("2026-11-16T08:30:00.5-0330"), -210);
  EXPECT_EQ(offset_of("20261116T0830+05"), 300);
  EXPECT_EQ(offset_of("2026-11-16 08:30 PM +05:45"), 345);
}

TEST(parse_time, fractions_are_cut_to_microseconds) {
  EXPECT_EQ(clock_of("1970-01-01T00:00:00.25"), 250'000);
  EXPECT_EQ(clock_of("1970-01-01T00:00:00,000001"), 1);
  EXPECT_EQ(clock_of("1970-01-01T00:00:00.0000019999999999999"), 1);
  EXPECT_EQ(clock_of("1969-12-31T23:59:59.999999999"), -1);
  EXPECT_EQ(clock_of("19700101T000000.5Z"), 500'000);
}

TEST(parse_time, clocks_of_twelve_hours_are_read) {
  const auto time_of_day = [](const std::string& text) { return clock_of("1/1/1970 " + text, DateOrder::day_first); };
  EXPECT_EQ(time_of_day("12:00 AM"), 0);
  EXPECT_EQ(time_of_day("12:30am"), 30 * minute);
  EXPECT_EQ(time_of_day("8:30 PM"), 20 * hour + 30 * minute);
  EXPECT_EQ(time_of_day("12:00:00.5 pm"), 12 * hour + second / 2);
  for (const char* text : {"13:00 PM", "0:30 AM", "24:00 AM", "8:30 P", "8:30 XM", "8:30 PMZ"})
    EXPECT_FALSE(is_time(std::string("2026-11-16 ") + text)) << text;
}

TEST(parse_time, twenty_four_o_clock_is_the_midnight_after) {
  EXPECT_EQ(clock_of("2026-12-31T24:00"), midnight(2027, 1, 1));
  EXPECT_EQ(clock_of("20261231T240000Z"), midnight(2027, 1, 1));
  EXPECT_FALSE(is_time("2026-12-31T24:00:00.1"));
  EXPECT_FALSE(is_time("2026-12-31T24:01"));
  EXPECT_FALSE(is_time("9999-12-31T24:00"));
}

TEST(parse_time, a_leap_second_is_the_second_after) {
  EXPECT_EQ(clock_of("2016-12-31T23:59:60Z"), midnight(2017, 1, 1));
  EXPECT_EQ(clock_of("2017-01-01T05:44:60+05:45"), midnight(2017, 1, 1) + 5 * hour + 45 * minute);
  EXPECT_FALSE(is_time("2016-12-31T23:58:60Z"));
  EXPECT_FALSE(is_time("2016-12-31T23:59:61Z"));
}

TEST(parse_time, leap_years_are_those_of_the_gregorian_calendar) {
  EXPECT_EQ(clock_of("2000-02-29") + day, clock_of("2000-03-01"));
  EXPECT_EQ(clock_of("1900-02-28") + day, clock_of("1900-03-01"));
  for (const char* text : {"1900-02-29", "2100-02-29", "2026-02-29", "2026-02-30", "2026-04-31", "29.2.2100"})
    EXPECT_FALSE(is_time(text)) << text;
}

TEST(parse_time, the_first_and_the_last_year_are_1_and_9999) {
  EXPECT_EQ(clock_of("0001-01-01"), -719162 * day);
  EXPECT_EQ(clock_of("9999-12-31T23:59:59.999999"), midnight(10000, 1, 1) - 1);
  for (const char* text : {"0000-01-01", "10000-01-01", "-0001-01-01", "1.1.0000"}) EXPECT_FALSE(is_time(text)) << text;
}

TEST(parse_time, numbers_and_parts_of_times_are_no_times) {
  for (const char* text : {"",
                           " ",
                           "2026",
                           "20261116",
                           "20261116 083000",
                           "2026-11",
                           "2026.5",
                           "08:30",
                           "8:30 PM",
                           "2026-W47-",
                           "2026-320",
                           "2026320",
                           "1e5",
                           "-5",
                           "3.14",
                           "1.2.3",
                           "10.0.0.1",
                           "16.11.26",
                           "2026-11-16T",
                           "2026-11-16Z",
                           "Nov 2026",
                           "2026-11-16T08",
                           "2026-11-16T8:3",
                           "2026-11-16T08:30:",
                           "2026-11-16T08:30:00.",
                           "T08:30"})
    EXPECT_FALSE(is_time(text)) << text;
}

TEST(parse_time, what_only_looks_like_a_time_is_none) {
  for (const char* text : {"2026-11/16",
                           "2026-13-01",
                           "2026-00-10",
                           "2026-11-00",
                           "2026-011-16",
                           "2026-11-16T25:00",
                           "2026-11-16T08:60",
                           "2026-11-16T08:30+1",
                           "2026-11-16T08:30+24:00",
                           "2026-11-16T08:30+01:60",
                           "2026-11-16T08:30+01:0",
                           "2026-11-16T08:30 CET",
                           "2026-11-16T08:30Z!",
                           "16 Nov-2026",
                           "16/Nov/2026",
                           "16 Nove 2026",
                           "Foo 16, 2026",
                           "Mon, 17 Nov 2026",
                           "Mon16 Nov 2026",
                           "Mon",
                           "2026-11-16  x",
                           "2026--11-16",
                           "20261316T083000",
                           "2026-11-16X08:30"})
    EXPECT_FALSE(is_time(text)) << text;
}

/// The parts of a WrittenTime.
struct Parts {
  int year, month, day, hour, minute, second, microsecond, offset_minutes;
};

Parts random_parts() {
  Parts parts{};
  parts.year = *rc::gen::inRange(1, 10000);
  parts.month = *rc::gen::inRange(1, 13);
  const auto last =
      std::chrono::year{parts.year} / std::chrono::month(static_cast<unsigned>(parts.month)) / std::chrono::last;
  parts.day = *rc::gen::inRange(1, static_cast<int>(static_cast<unsigned>(last.day())) + 1);
  parts.hour = *rc::gen::inRange(0, 24);
  parts.minute = *rc::gen::inRange(0, 60);
  parts.second = *rc::gen::inRange(0, 60);
  parts.microsecond = *rc::gen::inRange(0, 1'000'000);
  parts.offset_minutes = *rc::gen::inRange(-1439, 1440);
  return parts;
}

std::int64_t day_of(const Parts& p) {
  return midnight(p.year, static_cast<unsigned>(p.month), static_cast<unsigned>(p.day));
}
std::int64_t clock_at(const Parts& p) {
  return day_of(p) + p.hour * hour + p.minute * minute + p.second * second + p.microsecond;
}

Parts parts_of(const WrittenTime& time) {
  const auto date = std::chrono::floor<std::chrono::days>(std::chrono::sys_time(std::chrono::microseconds(time.clock)));
  const std::chrono::year_month_day ymd(date);
  const std::int64_t rest = time.clock - date.time_since_epoch().count() * day;
  return {static_cast<int>(ymd.year()),
          static_cast<int>(static_cast<unsigned>(ymd.month())),
          static_cast<int>(static_cast<unsigned>(ymd.day())),
          static_cast<int>(rest / hour),
          static_cast<int>(rest / minute % 60),
          static_cast<int>(rest / second % 60),
          static_cast<int>(rest % second),
          time.offset_minutes.value_or(0)};
}

constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<const char*, 12> long_months{"January",   "February", "March",    "April",
                                                  "May",       "June",     "July",     "August",
                                                  "September", "October",  "November", "December"};
constexpr std::array<const char*, 7> weekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

/// A date in each format, with the order in which it is read.
std::vector<std::pair<std::string, DateOrder>> printed_dates(const Parts& p) {
  const auto any = DateOrder::year_first;
  const auto* name = months.at(static_cast<std::size_t>(p.month) - 1);
  const auto* long_name = long_months.at(static_cast<std::size_t>(p.month) - 1);
  const std::chrono::sys_days date(std::chrono::days(day_of(p) / day));
  const auto* weekday = weekdays.at(std::chrono::weekday(date).c_encoding());
  return {{fmt::format("{:04}-{:02}-{:02}", p.year, p.month, p.day), any},
          {fmt::format("{:04}/{}/{}", p.year, p.month, p.day), any},
          {fmt::format("{}.{:02}.{:04}", p.day, p.month, p.year), any},
          {fmt::format("{:02}/{:02}/{:04}", p.day, p.month, p.year), DateOrder::day_first},
          {fmt::format("{}/{}/{:04}", p.month, p.day, p.year), DateOrder::month_first},
          {fmt::format("{} {} {:04}", p.day, name, p.year), any},
          {fmt::format("{:02}-{}-{:04}", p.day, name, p.year), any},
          {fmt::format("{} {}, {:04}", long_name, p.day, p.year), any},
          {fmt::format("{}, {:02} {} {:04}", weekday, p.day, name, p.year), any}};
}

std::string sign_of(int offset_minutes) { return offset_minutes < 0 ? "-" : "+"; }

/// A time of day with its offset in each format.
std::vector<std::string> printed_times_of_day(const Parts& p) {
  const int size = std::abs(p.offset_minutes);
  const std::string compact = fmt::format("{}{:02}{:02}", sign_of(p.offset_minutes), size / 60, size % 60);
  const std::string with_colon = fmt::format("{}{:02}:{:02}", sign_of(p.offset_minutes), size / 60, size % 60);
  const auto* half = p.hour < 12 ? "AM" : "pm";
  return {fmt::format("T{:02}:{:02}:{:02}.{:06}{}", p.hour, p.minute, p.second, p.microsecond, with_colon),
          fmt::format(" {:02}:{:02}:{:02},{:06}123{}", p.hour, p.minute, p.second, p.microsecond, compact),
          fmt::format(" {}:{:02}:{:02}.{:06} {} {}", (p.hour + 11) % 12 + 1, p.minute, p.second, p.microsecond, half,
                      compact)};
}

std::string printed_basic(const Parts& p) {
  return fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}.{:06}{}{:02}{:02}", p.year, p.month, p.day, p.hour, p.minute,
                     p.second, p.microsecond, sign_of(p.offset_minutes), std::abs(p.offset_minutes) / 60,
                     std::abs(p.offset_minutes) % 60);
}

void assert_read_as(const std::string& text, DateOrder order, const Parts& parts) {
  const auto time = parse_time(text, order);
  RC_LOG() << text << "\n";
  RC_ASSERT(time.has_value());
  RC_ASSERT(time->clock == clock_at(parts));
  RC_ASSERT(time->offset_minutes == parts.offset_minutes);
  RC_ASSERT(time->has_time_of_day);
}

RC_GTEST_PROP(parse_time, what_is_printed_is_read_back_in_every_format, ()) {
  const Parts parts = random_parts();
  assert_read_as(printed_basic(parts), DateOrder::year_first, parts);
  for (const auto& [date, order] : printed_dates(parts)) {
    RC_ASSERT(parse_time(date, order)->clock == day_of(parts));
    RC_ASSERT(!parse_time(date, order)->has_time_of_day);
    for (const std::string& time : printed_times_of_day(parts)) assert_read_as(date + time, order, parts);
  }
}

/// Asserts that the time read from a text, when printed, is read as the same time.
void assert_read_as_printed(const std::string& text) {
  for (const DateOrder order : orders) {
    const auto time = parse_time(text, order);
    if (!time) continue;
    const Parts parts = parts_of(*time);
    RC_ASSERT(parts.year >= 1 && parts.year <= 9999);
    RC_ASSERT(std::abs(parts.offset_minutes) < 24 * 60);
    assert_read_as(printed_basic(parts), order, parts);
  }
}

RC_GTEST_PROP(parse_time, random_bytes_do_no_harm, (const std::string& text)) { assert_read_as_printed(text); }

RC_GTEST_PROP(parse_time, random_texts_of_the_letters_of_times_do_no_harm, ()) {
  assert_read_as_printed(*rc::gen::container<std::string>(rc::gen::elementOf(std::string("0122469:-/. ,TZ+ novaPm"))));
}

RC_GTEST_PROP(parse_time, times_with_one_wrong_character_do_no_harm, ()) {
  const Parts parts = random_parts();
  std::string text =
      (*rc::gen::elementOf(printed_dates(parts))).first + *rc::gen::elementOf(printed_times_of_day(parts));
  text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
  assert_read_as_printed(text);
  assert_read_as_printed(text.substr(0, *rc::gen::inRange<std::size_t>(0, text.size())));
}

TEST(derived_cell, cells_are_counted_from_midnight_monday_and_new_year) {
  const auto cell = [](Derivation derivation, std::string_view text, Resolution resolution = Resolution::hour) {
    return derived_cell(derivation, resolution, clock_of(text));
  };
  EXPECT_EQ(cell(Derivation::hour_of_day, "2026-11-16 23:59"), 23);
  EXPECT_EQ(cell(Derivation::hour_of_day, "2026-11-16 23:59", Resolution::minute), 1439);
  EXPECT_EQ(cell(Derivation::hour_of_day, "2026-11-16 23:59:58", Resolution::second), 86398);
  EXPECT_EQ(cell(Derivation::hour_of_day, "1969-12-31 23:59:59.999999", Resolution::microsecond), day - 1);
  EXPECT_EQ(cell(Derivation::day_of_week, "2026-11-16"), 0);
  EXPECT_EQ(cell(Derivation::day_of_week, "1969-12-31 23:00"), 2);
  EXPECT_EQ(cell(Derivation::month, "1900-01-01"), 0);
  EXPECT_EQ(cell(Derivation::month, "0001-12-31"), 11);
  EXPECT_EQ(cell(Derivation::day_of_year, "2026-01-01"), 0);
  EXPECT_EQ(cell(Derivation::day_of_year, "2024-02-29"), 59);
  EXPECT_EQ(cell(Derivation::day_of_year, "2026-12-31"), 365);
}

RC_GTEST_PROP(derived_cell, the_first_of_march_is_the_same_day_in_every_year, ()) {
  const int year = *rc::gen::inRange(1, 10000);
  const std::int64_t time = midnight(year, 3, 1) + *rc::gen::inRange<std::int64_t>(0, day);
  RC_ASSERT(derived_cell(Derivation::day_of_year, Resolution::hour, time) == 60);
}

RC_GTEST_PROP(derived_cell, every_time_has_a_cell_of_those_there_are, (std::int64_t near)) {
  const std::int64_t time =
      *rc::gen::element(near, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  for (const auto derivation :
       {Derivation::hour_of_day, Derivation::day_of_week, Derivation::month, Derivation::day_of_year})
    for (const auto resolution : {Resolution::hour, Resolution::minute, Resolution::second, Resolution::microsecond}) {
      const std::int64_t cell = derived_cell(derivation, resolution, time);
      RC_ASSERT(cell >= 0 && cell < n_derived_cells(derivation, resolution));
    }
}

}  // namespace
}  // namespace pidforest::values
