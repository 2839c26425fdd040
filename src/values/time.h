// SPDX-License-Identifier: Apache-2.0
// Dates and times: from text to UTC microseconds, and from UTC to the local hour, day and month.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pidforest/schema.h"

namespace pidforest::values {

inline constexpr std::int64_t microseconds_per_second = 1'000'000;
inline constexpr std::int64_t microseconds_per_minute = 60 * microseconds_per_second;
inline constexpr std::int64_t microseconds_per_hour = 60 * microseconds_per_minute;
inline constexpr std::int64_t microseconds_per_day = 24 * microseconds_per_hour;

inline constexpr std::array<std::string_view, 12> month_names{"January",   "February", "March",    "April",
                                                              "May",       "June",     "July",     "August",
                                                              "September", "October",  "November", "December"};
inline constexpr std::array<std::string_view, 7> weekday_names{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                               "Friday", "Saturday", "Sunday"};

/// A date and time as written; without an offset it is local to an unknown zone.
struct WrittenTime {
  /// Microseconds since 1970-01-01 00:00 on the clock as written.
  std::int64_t clock = 0;
  /// Minutes east of UTC, if the text gives an offset; Z is 0.
  std::optional<int> offset_minutes = {};
  bool has_time_of_day = false;
};

/// Reads a date with an optional time of day. Accepted are ISO 8601 (2026-11-16, 2026-11-16T08:30:00.25+01:00, a space
/// instead of T, no colon in the offset, without seconds or fractions, basic 20261116T083000Z), 2026/11/16, 16.11.2026
/// and 16 Nov 2026. 11/16/2026 and 16/11/2026 are read by `order`: day_first or month_first; year_first accepts
/// neither. Logs and calendars write 10/Oct/2000:13:55:36 -0700, Tue Oct 10 13:55:36 2000 and 2000-W41. Clock times
/// (14:05), times without a year (Nov 16 08:30:00) and months (2026-11) are read by the orders no_date, no_year and
/// no_day only, as times of 1970-01-01, of 1972, and of the first day. Returns nullopt for any other text, for dates
/// that do not exist (2026-02-30) and for years outside 1..9999. A leap second (23:59:60) counts as the following
/// second.
std::optional<WrittenTime> parse_time(std::string_view text, DateOrder order);

/// A time zone: an IANA name, an offset ("+02:00", "-0330") or "UTC".
class Zone {
 public:
  /// Throws InvalidInput for an unknown name.
  explicit Zone(std::string_view name);

  /// Converts a written time to UTC microseconds; an offset in the time takes precedence over the zone. A local time
  /// that occurs twice means the first occurrence. A local time that is skipped is moved later by the length of the
  /// gap.
  [[nodiscard]] std::int64_t to_utc(const WrittenTime& time) const;
  /// Converts UTC to local time, in microseconds since 1970-01-01 00:00 of the local clock.
  [[nodiscard]] std::int64_t to_local(std::int64_t utc) const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules_;
};

/// Returns the cell of a derived axis for a local time. hour_of_day counts hours, minutes, seconds or microseconds
/// since midnight, by the resolution. day_of_week: 0 = Monday. month: 0 = January. day_of_year: 0 = 1 January, with a
/// cell for 29 February in every year (366 cells), so that 1 March has the same cell in every year.
std::int64_t derived_cell(Derivation derivation, Resolution resolution, std::int64_t local);
/// The number of cells of a derived axis; not defined for epoch.
std::int64_t n_derived_cells(Derivation derivation, Resolution resolution);

}  // namespace pidforest::values
