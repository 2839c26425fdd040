// SPDX-License-Identifier: Apache-2.0
// Dates and times: from text to UTC microseconds, and from those to the hour, day and month of a place.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pidforest/schema.h"

namespace pidforest::values {

inline constexpr std::array<std::string_view, 12> month_names{"January",   "February", "March",    "April",
                                                              "May",       "June",     "July",     "August",
                                                              "September", "October",  "November", "December"};
inline constexpr std::array<std::string_view, 7> weekday_names{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                               "Friday", "Saturday", "Sunday"};

/// A date and time as it is written: without an offset it is local to some zone.
struct WrittenTime {
  /// Microseconds since 1970-01-01 00:00, of the clock that was read.
  std::int64_t clock = 0;
  /// Minutes east of UTC, if the text says so; Z is 0.
  std::optional<int> offset_minutes = {};
  bool has_time_of_day = false;
};

/// Reads ISO 8601 (2026-11-16, 2026-11-16T08:30:00.25+01:00, a space instead of T, no colons in the offset, seconds and
/// fractions left out, basic 20261116T083000Z), 2026/11/16, 16.11.2026 and 16 Nov 2026, each with a time of day or
/// without; 11/16/2026 and 16/11/2026 as `order` says (day_first, month_first; year_first reads neither). Nothing for
/// any other text, for days that are not in the calendar (2026-02-30) and for years outside 1..9999.
/// A leap second (23:59:60) counts as the second after.
std::optional<WrittenTime> parse_time(std::string_view text, DateOrder order);

/// A time zone: an IANA name, an offset ("+02:00", "-0330") or "UTC".
class Zone {
 public:
  /// Throws InvalidInput for a name that is none.
  explicit Zone(std::string_view name);

  /// UTC microseconds of a written time; where it has an offset, that decides. A local time that occurs twice is the
  /// first; one that is skipped is as much later as the clocks were put forward.
  [[nodiscard]] std::int64_t to_utc(const WrittenTime& time) const;
  /// Microseconds since 1970-01-01 00:00 of the local clock.
  [[nodiscard]] std::int64_t to_local(std::int64_t utc) const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules_;
};

/// The cell of a derived axis that a local time falls into: hour_of_day counts hours, minutes, seconds or microseconds
/// since midnight by the resolution; day_of_week 0 = Monday; month 0 = January; day_of_year 0 = 1 January, with 29
/// February always having its own place (366 places, so that 1 March is the same in every year).
std::int64_t derived_cell(Derivation derivation, Resolution resolution, std::int64_t local);
/// The number of such cells; not for epoch.
std::int64_t n_derived_cells(Derivation derivation, Resolution resolution);

}  // namespace pidforest::values
