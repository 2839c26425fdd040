// SPDX-License-Identifier: Apache-2.0
// Local clocks: `Zone` of values/time.h.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "unit/values/clock.h"

namespace pidforest::values {
namespace {

/// Returns the UTC of a local time in a zone, both as ISO text.
std::string utc_of(const char* zone, std::string_view local) {
  const std::int64_t utc = Zone(zone).to_utc(on_clock(clock_of(local)));
  const auto date = std::chrono::floor<std::chrono::days>(std::chrono::sys_time(std::chrono::microseconds(utc)));
  const std::chrono::year_month_day ymd(date);
  const std::int64_t minutes = (utc - date.time_since_epoch().count() * day) / minute;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", static_cast<int>(ymd.year()), static_cast<unsigned>(ymd.month()),
                     static_cast<unsigned>(ymd.day()), minutes / 60, minutes % 60);
}

/// Returns the hours by which the clocks of a zone are ahead of UTC.
double hours_ahead(const char* zone, std::string_view utc) {
  const std::int64_t time = clock_of(utc);
  return static_cast<double>(Zone(zone).to_local(time) - time) / hour;
}

/// The message with which a zone is rejected; empty if it is accepted.
std::string complaint(std::string_view name) {
  try {
    const Zone zone(name);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(zone, offsets_and_utc_need_no_database) {
  setenv("TZDIR", "/nowhere", 1);
  EXPECT_EQ(hours_ahead("UTC", "2026-07-01"), 0);
  EXPECT_EQ(hours_ahead("Z", "2026-07-01"), 0);
  EXPECT_EQ(hours_ahead("+02:00", "2026-07-01"), 2);
  EXPECT_EQ(hours_ahead("-0330", "1960-07-01"), -3.5);
  EXPECT_EQ(hours_ahead("+05", "9999-07-01"), 5);
  EXPECT_EQ(complaint("Europe/Berlin"),
            "zone 'Europe/Berlin' requires the time zone database, which is not in /nowhere. "
            "Install the package tzdata, or give an offset such as +02:00.");
  unsetenv("TZDIR");
}

TEST(zone, a_name_that_is_none_is_refused) {
  EXPECT_EQ(complaint("Mars/Base"),
            "a zone must be an IANA name such as Europe/Berlin, an offset such as +02:00, or UTC; got 'Mars/Base'.");
  for (const char* name : {"", "Europe", "Europe/", "/Europe/Berlin", "Europe//Berlin", "../../../etc/passwd",
                           "Europe/../Europe/Berlin", "/usr/share/zoneinfo/UTC", "right/UTC", "localtime", "zone.tab",
                           "europe/berlin", "Europe/Berlin\n", "+25:00", "+2", "+02:00:00", "UTC+2", "CEST", "Z0"})
    EXPECT_NE(complaint(name), "") << name;
}

TEST(zone, a_written_offset_goes_before_the_zone) {
  const Zone berlin("Europe/Berlin");
  EXPECT_EQ(berlin.to_utc(*parse_time("2026-07-01T12:00-03:30", DateOrder::year_first)), clock_of("2026-07-01T15:30"));
  EXPECT_EQ(berlin.to_utc(*parse_time("2026-07-01T12:00Z", DateOrder::year_first)), clock_of("2026-07-01T12:00"));
  EXPECT_EQ(berlin.to_utc(*parse_time("2026-07-01T12:00", DateOrder::year_first)), clock_of("2026-07-01T10:00"));
}

TEST(zone, a_skipped_time_is_later_by_what_the_clocks_are_put_forward) {
  EXPECT_EQ(utc_of("Europe/Berlin", "2026-03-29 01:59"), "2026-03-29 00:59");
  EXPECT_EQ(utc_of("Europe/Berlin", "2026-03-29 02:30"), "2026-03-29 01:30");
  EXPECT_EQ(utc_of("Europe/Berlin", "2026-03-29 03:30"), "2026-03-29 01:30");
  EXPECT_EQ(utc_of("America/Sao_Paulo", "2018-11-04 00:30"), "2018-11-04 03:30");
  EXPECT_EQ(utc_of("Australia/Lord_Howe", "2026-10-04 02:15"), "2026-10-03 15:45");
  EXPECT_EQ(utc_of("Pacific/Apia", "2011-12-29 23:59"), "2011-12-30 09:59");
  EXPECT_EQ(utc_of("Pacific/Apia", "2011-12-30 12:00"), "2011-12-30 22:00");
  EXPECT_EQ(utc_of("Pacific/Apia", "2011-12-31 00:00"), "2011-12-30 10:00");
}

TEST(zone, a_time_that_occurs_twice_is_the_first) {
  EXPECT_EQ(utc_of("Europe/Berlin", "2026-10-25 01:59"), "2026-10-24 23:59");
  EXPECT_EQ(utc_of("Europe/Berlin", "2026-10-25 02:30"), "2026-10-25 00:30");
  EXPECT_EQ(utc_of("Europe/Berlin", "2026-10-25 03:00"), "2026-10-25 02:00");
  EXPECT_EQ(utc_of("America/Sao_Paulo", "2018-02-17 23:30"), "2018-02-18 01:30");
  EXPECT_EQ(utc_of("Australia/Lord_Howe", "2026-04-05 01:45"), "2026-04-04 14:45");
  EXPECT_EQ(utc_of("Australia/Lord_Howe", "2026-04-05 02:00"), "2026-04-04 15:30");
}

TEST(zone, clocks_are_those_of_the_place_and_the_year) {
  EXPECT_EQ(hours_ahead("Asia/Kathmandu", "2026-07-01"), 5.75);
  EXPECT_EQ(hours_ahead("Asia/Kathmandu", "1980-07-01"), 5.5);
  EXPECT_EQ(hours_ahead("America/Sao_Paulo", "2018-12-01"), -2);
  EXPECT_EQ(hours_ahead("America/Sao_Paulo", "2026-12-01"), -3);
  EXPECT_EQ(hours_ahead("Australia/Lord_Howe", "2026-12-01"), 11);
  EXPECT_EQ(hours_ahead("Australia/Lord_Howe", "2026-07-01"), 10.5);
  EXPECT_EQ(hours_ahead("Europe/Berlin", "1945-07-01"), 3);
  EXPECT_EQ(hours_ahead("Europe/Dublin", "2026-07-01"), 1);
  EXPECT_EQ(hours_ahead("Europe/Dublin", "2026-01-01"), 0);
  EXPECT_EQ(hours_ahead("Etc/GMT+3", "2026-01-01"), -3);
}

TEST(zone, daylight_saving_goes_on_after_2037) {
  EXPECT_EQ(hours_ahead("Europe/Berlin", "2038-07-01"), 2);
  EXPECT_EQ(hours_ahead("Europe/Berlin", "2050-03-27 00:59"), 1);
  EXPECT_EQ(hours_ahead("Europe/Berlin", "2050-03-27 01:00"), 2);
  EXPECT_EQ(hours_ahead("Europe/Berlin", "2050-10-30 01:00"), 1);
  EXPECT_EQ(hours_ahead("Europe/Berlin", "9998-07-01"), 2);
  EXPECT_EQ(hours_ahead("Europe/Berlin", "9998-12-01"), 1);
  EXPECT_EQ(hours_ahead("America/New_York", "2100-03-14 07:00"), -4);
  EXPECT_EQ(hours_ahead("Australia/Sydney", "2060-01-01"), 11);
  EXPECT_EQ(hours_ahead("Europe/Dublin", "2060-07-01"), 1);
  EXPECT_EQ(utc_of("Europe/Berlin", "2450-07-01 12:00"), "2450-07-01 10:00");
}

TEST(zone, times_at_the_ends_of_what_64_bits_hold_do_no_harm) {
  const Zone berlin("Europe/Berlin");
  for (const std::int64_t time : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(berlin.to_local(time) < 0, time < 0);
    EXPECT_EQ(berlin.to_utc(on_clock(time)) < 0, time < 0);
  }
}

const std::vector<std::string> zones{"UTC",
                                     "-03:30",
                                     "Europe/Berlin",
                                     "Europe/Dublin",
                                     "America/New_York",
                                     "America/Sao_Paulo",
                                     "America/Juneau",
                                     "Africa/Casablanca",
                                     "Africa/Monrovia",
                                     "Asia/Kathmandu",
                                     "Asia/Tehran",
                                     "Asia/Gaza",
                                     "Australia/Lord_Howe",
                                     "Pacific/Apia",
                                     "Pacific/Chatham",
                                     "Antarctica/Troll"};

/// The reference by search instead of by table: returns the UTC times at which the clock of a zone shows a time, using
/// the offsets in effect within two days of it.
std::vector<std::int64_t> utc_times_of(const Zone& zone, std::int64_t local) {
  std::vector<std::int64_t> times;
  for (std::int64_t near = local - 2 * day; near <= local + 2 * day; near += 6 * hour) {
    const std::int64_t utc = local - (zone.to_local(near) - near);
    if (zone.to_local(utc) == local) times.push_back(utc);
  }
  return times;
}

RC_GTEST_PROP(zone, a_local_time_that_exists_is_the_first_of_its_utc_times, ()) {
  const Zone zone(*rc::gen::elementOf(zones));
  const std::int64_t local = *rc::gen::inRange(midnight(1850, 1, 1), midnight(2500, 1, 1));
  const std::vector<std::int64_t> times = utc_times_of(zone, local);
  const std::int64_t utc = zone.to_utc(on_clock(local));
  if (times.empty()) return;
  RC_ASSERT(utc == *std::ranges::min_element(times));
  RC_ASSERT(zone.to_local(utc) == local);
}

/// Like the property above, near times that are skipped or occur twice, which random times rarely hit.
TEST(zone, local_times_around_every_shift_are_the_first_of_their_utc_times) {
  for (const std::string& name : zones) {
    const Zone zone(name);
    for (std::int64_t utc = midnight(1960, 1, 1); utc < midnight(2060, 1, 1); utc += day) {
      if (zone.to_local(utc + day) - zone.to_local(utc) == day) continue;
      for (std::int64_t local = zone.to_local(utc); local < utc + 2 * day; local += 30 * minute) {
        const std::vector<std::int64_t> times = utc_times_of(zone, local);
        const std::int64_t found = zone.to_utc(on_clock(local));
        if (times.empty())
          EXPECT_GT(zone.to_local(found), local) << name << ' ' << local;
        else
          EXPECT_EQ(found, *std::ranges::min_element(times)) << name << ' ' << local;
      }
    }
  }
}

/// From 2100 on, because the tables of Casablanca and Gaza list their shifts around Ramadan until 2087.
RC_GTEST_PROP(zone, the_calendar_of_shifts_repeats_after_400_years, ()) {
  const Zone zone(*rc::gen::elementOf(zones));
  const std::int64_t cycle = 146097 * day;
  const std::int64_t utc = *rc::gen::inRange(midnight(2100, 1, 1), midnight(9000, 1, 1));
  RC_ASSERT(zone.to_local(utc + cycle) == zone.to_local(utc) + cycle);
}

/// A folder for zone files written by the tests; TZDIR points to it.
class ZoneFolder : public testing::Test {
 public:
  ZoneFolder() {
    std::filesystem::create_directories(folder_);
    setenv("TZDIR", folder_.c_str(), 1);
  }
  ~ZoneFolder() override {
    unsetenv("TZDIR");
    std::filesystem::remove_all(folder_);
  }
  ZoneFolder(const ZoneFolder&) = delete;
  ZoneFolder& operator=(const ZoneFolder&) = delete;

  void write(const std::string& bytes) const { std::ofstream(folder_ / "Own", std::ios::binary) << bytes; }

 private:
  std::filesystem::path folder_ = fmt::format("{}/pidforest_zones_{}", testing::TempDir(), getpid());
};

/// A zone file with the offset 0 at first, followed only by a rule.
std::string zone_file(const std::string& rule) {
  const std::string header = "TZif2" + std::string(31, '\0') + std::string("\0\0\0\1\0\0\0\4", 8);
  const std::string block = std::string(6, '\0') + std::string("UTC\0", 4);
  return header + block + header + block + "\n" + rule + "\n";
}

TEST_F(ZoneFolder, a_rule_may_name_days_in_each_form) {
  write(zone_file("CET-1CEST,M3.5.0,M10.5.0/3"));
  EXPECT_EQ(hours_ahead("Own", "2026-03-29 01:00"), 2);
  EXPECT_EQ(hours_ahead("Own", "2026-10-25 01:00"), 1);
  write(zone_file("<-03>3<-02>,J60/0,J300/0"));
  EXPECT_EQ(hours_ahead("Own", "2024-03-01 02:59"), -3);
  EXPECT_EQ(hours_ahead("Own", "2024-03-01 03:00"), -2);
  EXPECT_EQ(hours_ahead("Own", "2025-03-01 03:00"), -2);
  write(zone_file("AAA0BBB-0:30,59/-1,300/25:30"));
  EXPECT_EQ(hours_ahead("Own", "2024-02-28 23:00"), 0.5);
  EXPECT_EQ(hours_ahead("Own", "2025-02-28 22:59"), 0);
  write(zone_file("EST5EDT,0/0,J365/25"));
  for (const char* utc : {"2026-01-01 03:59", "2026-01-01 04:00", "2026-01-01 05:00", "2026-07-01"})
    EXPECT_EQ(hours_ahead("Own", utc), -4) << utc;
}

TEST_F(ZoneFolder, a_file_without_yearly_shifts_keeps_its_offset) {
  write(zone_file(""));
  EXPECT_EQ(hours_ahead("Own", "2026-01-01"), 0);
}

TEST_F(ZoneFolder, a_file_with_a_wrong_rule_is_refused) {
  for (const char* rule :
       {"CET", "<CET-1", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
        "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-1CEST,J0,J5", "-1", ",", "CET-999"}) {
    write(zone_file(rule));
    EXPECT_NE(complaint("Own"), "") << rule;
  }
}

std::string berlin_file() {
  std::ifstream file("/usr/share/zoneinfo/Europe/Berlin", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(ZoneFolder, a_torn_file_is_refused) {
  const std::string whole = berlin_file();
  write(whole);
  EXPECT_EQ(complaint("Own"), "");
  for (std::size_t n = 0; n < whole.size(); n += 7) {
    write(whole.substr(0, n));
    EXPECT_EQ(complaint("Own"),
              "the file of zone 'Own' must be a complete TZif file of version 2 or later; it is not. "
              "Reinstall the package tzdata.")
        << n;
  }
}

RC_GTEST_FIXTURE_PROP(ZoneFolder, a_file_with_wrong_bytes_does_no_harm, ()) {
  std::string bytes = berlin_file();
  for (int i = 0; i < 4; ++i) bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  write(bytes);
  if (!complaint("Own").empty()) return;
  const Zone zone("Own");
  const std::int64_t time = *rc::gen::arbitrary<std::int64_t>();
  RC_ASSERT(std::abs(zone.to_local(time / 2) - time / 2) < 2 * day);
  RC_ASSERT(std::abs(zone.to_utc(on_clock(time / 2)) - time / 2) < 2 * day);
}

}  // namespace
}  // namespace pidforest::values
