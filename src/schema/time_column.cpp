// SPDX-License-Identifier: Apache-2.0
#include "schema/time_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "table/value.h"
#include "values/time.h"

namespace pidforest::schema {

namespace {

using values::microseconds_per_day;

/// 0001-01-01 and 10000-01-01, with a margin of one day for converting UTC to local time.
constexpr std::int64_t earliest = (-719'162 - 1) * microseconds_per_day;
constexpr std::int64_t latest = (2'932'897 + 1) * microseconds_per_day;

constexpr std::array<Derivation, 4> cyclic_derivations{Derivation::hour_of_day, Derivation::day_of_week,
                                                       Derivation::month, Derivation::day_of_year};

[[noreturn]] void refuse_text(const Column& column, std::size_t row) {
  const auto reads = [&](DateOrder order) { return values::parse_time(column.text(row), order).has_value(); };
  const bool needs_order = reads(DateOrder::day_first) || reads(DateOrder::month_first);
  table::refuse(
      column, row,
      {.demand = "must be a date or time such as 2026-11-16 or 2026-11-16T08:30:00+01:00",
       .remedy = needs_order ? "Declare date_order, day_first or month_first." : "Leave it empty if it is missing."});
}

[[noreturn]] void refuse_year(const Column& column, std::size_t row) {
  table::refuse(column, row,
                {.demand = "must be a time in the years 1 to 9999", .remedy = "Check the unit of the times."});
}

double microseconds_per(EpochUnit unit) {
  switch (unit) {
    case EpochUnit::seconds:
      return 1e6;
    case EpochUnit::milliseconds:
      return 1e3;
    default:
      return 1;
  }
}

std::int64_t epoch_at(const Column& column, std::size_t row, EpochUnit unit) {
  const double microseconds = column.number(row) * microseconds_per(unit);
  if (!(microseconds >= static_cast<double>(earliest) && microseconds < static_cast<double>(latest)))
    refuse_year(column, row);
  return std::llround(microseconds);
}

std::string offset_name(int minutes) {
  if (minutes == 0) return "UTC";
  const int size = std::abs(minutes);
  return fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', size / 60, size % 60);
}

/// Facts about the times of a column.
struct TimeFacts {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  /// In local time.
  Resolution resolution = Resolution::hour;
  std::array<std::int64_t, cyclic_derivations.size()> least_cells;
  std::array<std::int64_t, cyclic_derivations.size()> greatest_cells;

  TimeFacts() {
    least_cells.fill(std::numeric_limits<std::int64_t>::max());
    greatest_cells.fill(std::numeric_limits<std::int64_t>::min());
  }
  [[nodiscard]] bool are_empty() const { return first > last; }
  [[nodiscard]] bool varies(std::size_t derivation) const {
    return least_cells[derivation] < greatest_cells[derivation];
  }
};

Resolution resolution_of(std::int64_t local) {
  if (local % values::microseconds_per_hour == 0) return Resolution::hour;
  if (local % values::microseconds_per_minute == 0) return Resolution::minute;
  return local % values::microseconds_per_second == 0 ? Resolution::second : Resolution::microsecond;
}

void add_time(TimeFacts& facts, std::int64_t utc, std::int64_t local, Resolution resolution) {
  facts.first = std::min(facts.first, utc);
  facts.last = std::max(facts.last, utc);
  facts.resolution = std::max(facts.resolution, resolution_of(local));
  for (std::size_t d = 0; d < cyclic_derivations.size(); ++d) {
    const std::int64_t cell = values::derived_cell(cyclic_derivations[d], resolution, local);
    facts.least_cells[d] = std::min(facts.least_cells[d], cell);
    facts.greatest_cells[d] = std::max(facts.greatest_cells[d], cell);
  }
}

TimeFacts facts_of(const ColumnSchema& schema, const table::ColumnParts& parts) {
  const TimeReader reader(schema);
  TimeFacts facts;
  std::int64_t previous = Column::missing_time;
  parts.for_each([&](const Column& column, std::size_t n_rows) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      const std::int64_t utc = reader.utc(column, row);
      if (utc == Column::missing_time || utc == previous) continue;
      add_time(facts, utc, reader.local(utc), schema.resolution.value_or(Resolution::microsecond));
      previous = utc;
    }
  });
  return facts;
}

/// The offsets from UTC with which the texts are written.
struct Offsets {
  std::optional<int> shared = {};
  bool any_without = false;
  bool differ = false;

  void add(std::optional<int> minutes) {
    any_without |= !minutes.has_value();
    differ |= shared && minutes.value_or(*shared) != *shared;
    if (!shared) shared = minutes;
  }
};

std::vector<Derivation> varying(const TimeFacts& facts) {
  constexpr std::int64_t two_years = 730 * microseconds_per_day;
  const bool spans_years = facts.last - facts.first >= two_years;
  std::vector<Derivation> derivations;
  for (std::size_t d = 0; d < cyclic_derivations.size(); ++d) {
    const bool is_within_year =
        cyclic_derivations[d] == Derivation::month || cyclic_derivations[d] == Derivation::day_of_year;
    if (facts.varies(d) && (spans_years || !is_within_year)) derivations.push_back(cyclic_derivations[d]);
  }
  return derivations;
}

}  // namespace

TimeReader::TimeReader(const ColumnSchema& schema)
    : zone_(schema.zone.empty() ? "UTC" : schema.zone), unit_(schema.epoch_unit), order_(schema.date_order) {}

std::int64_t TimeReader::utc(const Column& column, std::size_t row) const {
  if (table::is_missing(column, row)) return Column::missing_time;
  if (column.type == ColumnType::number) return epoch_at(column, row, unit_);
  if (column.type == ColumnType::text) {
    const std::optional<values::WrittenTime> written = values::parse_time(column.text(row), order_);
    if (!written) refuse_text(column, row);
    return zone_.to_utc(*written);
  }
  const std::int64_t time = column.time(row);
  if (time < earliest || time >= latest) refuse_year(column, row);
  return column.are_local ? zone_.to_utc({.clock = time}) : time;
}

std::int64_t TimeReader::required_utc(const Column& column, std::size_t row) const {
  if (table::is_missing(column, row))
    table::refuse(column, row, {.demand = "must be a date or time", .remedy = "Remove samples without a time."});
  return utc(column, row);
}

WrittenZone written_zone(const table::ColumnParts& parts, DateOrder order) {
  constexpr const char* none_given = "no zone given, so UTC";
  if (parts.type() != ColumnType::text) return {.reason = none_given};
  Offsets offsets;
  parts.for_each([&](const Column& column, std::size_t n_rows) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (table::is_missing(column, row)) continue;
      const std::optional<values::WrittenTime> written = values::parse_time(column.text(row), order);
      if (!written) refuse_text(column, row);
      offsets.add(written->offset_minutes);
    }
  });
  if (!offsets.shared) return {.reason = none_given};
  if (offsets.differ) return {.reason = "offsets differ, so UTC"};
  if (offsets.any_without) return {.reason = "some without a zone, so UTC"};
  return {.zone = offset_name(*offsets.shared), .reason = fmt::format("in {}", offset_name(*offsets.shared))};
}

void complete_time(ColumnSchema& schema, const table::ColumnParts& parts) {
  if (schema.zone.empty()) schema.zone = written_zone(parts, schema.date_order).zone;
  const TimeFacts facts = facts_of(schema, parts);
  if (facts.are_empty()) return;
  if (!schema.resolution) schema.resolution = facts.resolution;
  if (schema.derive.empty()) schema.derive = varying(facts);
}

}  // namespace pidforest::schema
