// SPDX-License-Identifier: Apache-2.0
// Time zones from the system's tzdata: TZif files (RFC 8536), including the rule in the footer for years after the
// table. Howard Hinnant's date library, as built by Debian, ignores that rule and has no daylight saving time after
// 2037.
// Declared in values/time.h.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/time.h"

namespace pidforest::values {

namespace {

using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year;

/// The Gregorian calendar, weekdays included, repeats after 400 years.
constexpr std::int64_t seconds_per_cycle = std::int64_t{146097} * 86400;
/// RFC 8536: offsets lie between -24:59:59 and 25:59:59.
constexpr std::int64_t largest_offset = 26 * 3600 - 1;
/// If a rule gives no time of day, the shift is at two o'clock.
constexpr std::int64_t default_time_of_shift = 7200;
/// Beyond every time that 64-bit microseconds can represent.
constexpr std::int64_t largest_time = std::int64_t{1} << 60;

std::int64_t start_of(year y) { return seconds((sys_days(y / 1 / 1)).time_since_epoch()).count(); }

year year_of(std::int64_t utc_seconds) {
  const std::int64_t within = std::clamp(utc_seconds, start_of(year{1}), start_of(year{9999}));
  return std::chrono::year_month_day(std::chrono::floor<days>(std::chrono::sys_seconds(seconds(within)))).year();
}

/// From `at`, in UTC seconds, the local clock is `offset` seconds ahead of UTC.
struct Shift {
  std::int64_t at;
  std::int64_t offset;
};

/// Offsets from UTC, in seconds, and the times from which they hold.
struct Timetable {
  /// offsets[0] holds before the first shift, offsets[i + 1] after shift i.
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> utc_of_shifts;
  /// The first local time to which the new offset applies. Before it the old offset applies, both for times that occur
  /// twice and for times that are skipped.
  std::vector<std::int64_t> local_of_shifts;
  /// From this time on, the offsets repeat those of 400 years earlier.
  std::int64_t repeats_from = std::numeric_limits<std::int64_t>::max();

  explicit Timetable(std::int64_t first_offset) : offsets{first_offset} {}

  void add(Shift shift) {
    local_of_shifts.push_back(shift.at + std::max(offsets.back(), shift.offset));
    utc_of_shifts.push_back(shift.at);
    offsets.push_back(shift.offset);
  }

  [[nodiscard]] std::int64_t offset_at(std::int64_t time, const std::vector<std::int64_t>& of_shifts) const {
    if (time >= repeats_from) time -= ((time - repeats_from) / seconds_per_cycle + 1) * seconds_per_cycle;
    return offsets[static_cast<std::size_t>(std::ranges::upper_bound(of_shifts, time) - of_shifts.begin())];
  }
};

[[noreturn]] void refuse_file(std::string_view name) {
  throw InvalidInput(
      fmt::format("the file of zone '{}' must be a complete TZif file of version 2 or later; it is not. "
                  "Reinstall the package tzdata.",
                  name));
}

/// A yearly shift from the rule in the footer: Mm.w.d, Jn or n, and a time on the clock in effect before the shift.
struct YearlyShift {
  char form = 'M';
  int month = 0;
  int week = 0;
  int day = 0;
  std::int64_t time = 0;

  [[nodiscard]] sys_days day_in(year y) const {
    const sys_days new_year = y / 1 / 1;
    if (form == 'n') return new_year + days(day);
    if (form == 'J') return new_year + days(day - 1 + (y.is_leap() && day >= 60 ? 1 : 0));
    const auto month_of_year = y / month;
    const std::chrono::weekday weekday(static_cast<unsigned>(day));
    if (week == 5) return sys_days(month_of_year / weekday[std::chrono::last]);
    return sys_days(month_of_year / weekday[static_cast<unsigned>(week)]);
  }
  [[nodiscard]] std::int64_t local_seconds_in(year y) const {
    return seconds(day_in(y).time_since_epoch()).count() + time;
  }
};

/// The contents of a rule such as CET-1CEST,M3.5.0,M10.5.0/3.
struct YearlyRule {
  std::int64_t standard_offset = 0;
  std::int64_t summer_offset = 0;
  YearlyShift to_summer;
  YearlyShift to_standard;

  void add_shifts_of(year y, std::vector<Shift>& shifts) const {
    shifts.push_back({to_summer.local_seconds_in(y) - standard_offset, summer_offset});
    shifts.push_back({to_standard.local_seconds_in(y) - summer_offset, standard_offset});
  }
};

/// Parses a POSIX TZ rule with the extensions of RFC 8536.
class RuleReader {
 public:
  RuleReader(std::string_view rule, std::string_view zone) : rest_(rule), zone_(zone) {}

  /// Returns nullopt if there is no daylight saving time any more.
  std::optional<YearlyRule> read() {
    if (rest_.empty()) return {};
    YearlyRule rule;
    pass_name();
    rule.standard_offset = -duration();
    if (rest_.empty()) return {};
    pass_name();
    rule.summer_offset = sees(',') ? rule.standard_offset + 3600 : -duration();
    rule.to_summer = yearly_shift();
    rule.to_standard = yearly_shift();
    if (!rest_.empty()) refuse_file(zone_);
    return rule;
  }

 private:
  [[nodiscard]] bool sees(char c) const { return rest_.starts_with(c); }
  bool take(char c) {
    const bool is_here = sees(c);
    if (is_here) rest_.remove_prefix(1);
    return is_here;
  }
  void demand(char c) {
    if (!take(c)) refuse_file(zone_);
  }
  /// Skips a name: CET or <+0330>.
  void pass_name() {
    const std::size_t n = sees('<') ? rest_.find('>') + 1 : rest_.find_first_of("+-,0123456789");
    if (n == 0 || n > rest_.size()) refuse_file(zone_);
    rest_.remove_prefix(n);
  }
  int number(int least, int most) {
    int value = 0;
    std::size_t n = 0;
    for (; n < rest_.size() && n < 3 && rest_[n] >= '0' && rest_[n] <= '9'; ++n) value = value * 10 + (rest_[n] - '0');
    rest_.remove_prefix(n);
    if (n == 0 || value < least || value > most) refuse_file(zone_);
    return value;
  }
  /// Reads [+-]h[:mm[:ss]], in seconds.
  std::int64_t duration() {
    const std::int64_t sign = take('-') ? -1 : 1;
    if (sign == 1) take('+');
    std::int64_t length = std::int64_t{3600} * number(0, 167);
    if (take(':')) length += std::int64_t{60} * number(0, 59);
    if (take(':')) length += number(0, 59);
    return sign * length;
  }
  YearlyShift yearly_shift() {
    demand(',');
    YearlyShift shift = day_of_shift();
    shift.time = take('/') ? duration() : default_time_of_shift;
    return shift;
  }
  YearlyShift day_of_shift() {
    if (take('J')) return {.form = 'J', .day = number(1, 365)};
    if (!take('M')) return {.form = 'n', .day = number(0, 365)};
    YearlyShift shift{.month = number(1, 12)};
    demand('.');
    shift.week = number(1, 5);
    demand('.');
    shift.day = number(0, 6);
    return shift;
  }

  std::string_view rest_;
  std::string_view zone_;
};

/// Reads a file's bytes from the front; numbers are big-endian.
class Bytes {
 public:
  Bytes(std::string_view bytes, std::string_view zone) : rest_(bytes), zone_(zone) {}

  [[nodiscard]] std::string_view rest() const { return rest_; }
  [[nodiscard]] std::string_view zone() const { return zone_; }

  std::string_view take(std::uint64_t n) {
    if (n > rest_.size()) refuse_file(zone_);
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }
  std::uint64_t unsigned_number(std::size_t n_bytes) {
    std::uint64_t value = 0;
    for (const char c : take(n_bytes)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  std::int64_t signed_number(std::size_t n_bytes, std::int64_t most) {
    const std::size_t unused_bits = 64 - 8 * n_bytes;
    const std::int64_t value = static_cast<std::int64_t>(unsigned_number(n_bytes) << unused_bits) >> unused_bits;
    if (value < -most || value > most) refuse_file(zone_);
    return value;
  }

 private:
  std::string_view rest_;
  std::string_view zone_;
};

/// The counts in the header of a TZif file, in file order.
struct Counts {
  std::uint64_t n_utc_marks;
  std::uint64_t n_standard_marks;
  std::uint64_t n_leap_seconds;
  std::uint64_t n_shifts;
  std::uint64_t n_types;
  std::uint64_t n_name_bytes;

  [[nodiscard]] std::uint64_t bytes_after_types(std::uint64_t time_bytes) const {
    return n_name_bytes + n_leap_seconds * (time_bytes + 4) + n_standard_marks + n_utc_marks;
  }
};

Counts read_header(Bytes& file) {
  if (file.take(4) != "TZif" || file.take(1) < "2") refuse_file(file.zone());
  file.take(15);
  const auto next = [&] { return file.unsigned_number(4); };
  return {next(), next(), next(), next(), next(), next()};
}

/// Skips the first block, which has 32-bit times for old readers.
void pass_first_block(Bytes& file) {
  const Counts counts = read_header(file);
  file.take(counts.n_shifts * 5 + counts.n_types * 6 + counts.bytes_after_types(4));
}

std::vector<std::int64_t> read_times(Bytes& file, std::uint64_t n) {
  Bytes part(file.take(n * 8), file.zone());
  std::vector<std::int64_t> times;
  while (!part.rest().empty()) times.push_back(part.signed_number(8, largest_time));
  if (!std::ranges::is_sorted(times)) refuse_file(file.zone());
  return times;
}

/// Reads the offset of each local time type. The daylight saving flag and the name are not needed.
std::vector<std::int64_t> read_types(Bytes& file, std::uint64_t n) {
  Bytes part(file.take(n * 6), file.zone());
  std::vector<std::int64_t> offsets;
  for (; !part.rest().empty(); part.take(2)) offsets.push_back(part.signed_number(4, largest_offset));
  if (offsets.empty()) refuse_file(file.zone());
  return offsets;
}

std::string_view read_footer(Bytes& file) {
  if (file.take(1) != "\n") refuse_file(file.zone());
  return file.take(file.rest().find('\n'));
}

/// Extends the table by its rule for one calendar cycle, after which everything repeats.
void add_yearly_shifts(const YearlyRule& rule, Timetable& table) {
  const std::int64_t end_of_table =
      table.utc_of_shifts.empty() ? std::numeric_limits<std::int64_t>::min() : table.utc_of_shifts.back();
  const year first = year_of(end_of_table);
  const year last = first + std::chrono::years(402);
  std::vector<Shift> shifts;
  for (year y = first; y <= last; ++y) rule.add_shifts_of(y, shifts);
  std::ranges::stable_sort(shifts, {}, &Shift::at);
  for (const Shift& shift : shifts)
    if (shift.at > end_of_table) table.add(shift);
  table.repeats_from = start_of(last);
}

Timetable read_zone_file(Bytes file) {
  pass_first_block(file);
  const Counts counts = read_header(file);
  const std::vector<std::int64_t> times = read_times(file, counts.n_shifts);
  const std::string_view type_of_shifts = file.take(counts.n_shifts);
  const std::vector<std::int64_t> types = read_types(file, counts.n_types);
  file.take(counts.bytes_after_types(8));
  Timetable table(types.front());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const std::size_t type = static_cast<unsigned char>(type_of_shifts[i]);
    if (type >= types.size()) refuse_file(file.zone());
    table.add({times[i], types[type]});
  }
  if (const auto rule = RuleReader(read_footer(file), file.zone()).read()) add_yearly_shifts(*rule, table);
  return table;
}

[[noreturn]] void refuse_name(std::string_view name) {
  throw InvalidInput(fmt::format(
      "a zone must be an IANA name such as Europe/Berlin, an offset such as +02:00, or UTC; got '{}'.", excerpt(name)));
}

/// True if all parts between slashes begin with a capital letter. No such path can leave the folder, and the other
/// files there (localtime, right/, zone.tab) are excluded.
bool is_zone_name(std::string_view name) {
  bool begins_part = true;
  for (const char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    const bool is_other = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '+' || c == '-';
    if (!is_capital && (begins_part || (!is_other && c != '/'))) return false;
    begins_part = c == '/';
  }
  return !begins_part;
}

/// The environment variable TZDIR replaces the default, as it does for the C library.
std::filesystem::path zone_folder() {
  const char* chosen = std::getenv("TZDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/usr/share/zoneinfo";
}

std::string bytes_of_zone(std::string_view name) {
  if (!is_zone_name(name)) refuse_name(name);
  const std::filesystem::path folder = zone_folder();
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InvalidInput(
        fmt::format("zone '{}' requires the time zone database, which is not in {}. "
                    "Install the package tzdata, or give an offset such as +02:00.",
                    name, folder.string()));
  if (!std::filesystem::is_regular_file(folder / name, error)) refuse_name(name);
  std::ifstream file(folder / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The offset of UTC, Z, GMT and every other suffix that may follow a time of day.
std::optional<int> fixed_offset_minutes(std::string_view name) {
  if (name.find_first_of("+-ZUGzug") != 0) return {};
  const auto time = parse_time(fmt::format("2000-01-01T00:00:00{}", name), DateOrder::year_first);
  return time ? time->offset_minutes : std::nullopt;
}

Timetable timetable_of(std::string_view name) {
  if (const auto minutes = fixed_offset_minutes(name)) return Timetable(std::int64_t{60} * *minutes);
  return read_zone_file(Bytes(bytes_of_zone(name), name));
}

/// Keeps two days away from the limits of 64 bits, so that adding an offset cannot overflow.
std::int64_t within_range(std::int64_t microseconds) {
  constexpr std::int64_t margin = 172'800 * microseconds_per_second;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() - margin;
  return std::clamp(microseconds, -most, most);
}

std::int64_t whole_seconds(std::int64_t microseconds) {
  return std::chrono::floor<seconds>(std::chrono::microseconds(microseconds)).count();
}

}  // namespace

struct Zone::Rules {
  Timetable table;
};

Zone::Zone(std::string_view name) : rules_(std::make_shared<const Rules>(Rules{timetable_of(name)})) {}

std::int64_t Zone::to_utc(const WrittenTime& time) const {
  const std::int64_t clock = within_range(time.clock);
  const Timetable& table = rules_->table;
  const std::int64_t offset = time.offset_minutes ? std::int64_t{60} * *time.offset_minutes
                                                  : table.offset_at(whole_seconds(clock), table.local_of_shifts);
  return clock - offset * microseconds_per_second;
}

std::int64_t Zone::to_local(std::int64_t utc) const {
  utc = within_range(utc);
  const Timetable& table = rules_->table;
  return utc + table.offset_at(whole_seconds(utc), table.utc_of_shifts) * microseconds_per_second;
}

}  // namespace pidforest::values
