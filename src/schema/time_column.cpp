// SPDX-License-Identifier: Apache-2.0
#include "schema/time_column.h"

#include <cmath>
#include <optional>

#include "table/value.h"
#include "values/read_text.h"
#include "values/time.h"

namespace pidforest::schema {

namespace {

using values::microseconds_per_day;

/// 0001-01-01 and 10000-01-01, with a margin of one day for converting UTC to local time.
constexpr std::int64_t earliest = (-719'162 - 1) * microseconds_per_day;
constexpr std::int64_t latest = (2'932'897 + 1) * microseconds_per_day;

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

std::string_view demand_for(DateOrder order) {
  switch (order) {
    case DateOrder::no_date:
      return "must be a clock time such as 14:05";
    case DateOrder::no_year:
      return "must be a time without a year, such as Nov 16 08:30:00";
    case DateOrder::no_day:
      return "must be a month such as 2026-11";
    default:
      return "must be a date or time such as 2026-11-16 or 2026-11-16T08:30:00+01:00";
  }
}

}  // namespace

bool means_no_time(std::string_view text) { return values::read_number(text).is_missing(); }

void refuse_time_text(const Column& column, std::size_t row, DateOrder order) {
  const auto reads = [&](DateOrder other) { return values::parse_time(column.text(row), other).has_value(); };
  const bool needs_order = reads(DateOrder::day_first) || reads(DateOrder::month_first);
  table::refuse(
      column, row,
      {.demand = demand_for(order),
       .remedy = needs_order ? "Declare date_order, day_first or month_first." : "Leave it empty if it is missing."});
}

TimeReader::TimeReader(const ColumnSchema& schema)
    : zone_(schema.zone.empty() ? "UTC" : schema.zone), unit_(schema.epoch_unit), order_(schema.date_order) {}

std::int64_t TimeReader::utc(const Column& column, std::size_t row) const {
  if (table::is_missing(column, row)) return Column::missing_time;
  if (column.type == ColumnType::number) return epoch_at(column, row, unit_);
  if (column.type == ColumnType::text) {
    const std::optional<values::WrittenTime> written = values::parse_time(column.text(row), order_);
    if (!written && means_no_time(column.text(row))) return Column::missing_time;
    if (!written) refuse_time_text(column, row, order_);
    return zone_.to_utc(*written);
  }
  const std::int64_t time = column.time(row);
  if (time < earliest || time >= latest) refuse_year(column, row);
  return column.are_local ? zone_.to_utc({.clock = time}) : time;
}

std::int64_t TimeReader::required_utc(const Column& column, std::size_t row) const {
  const std::int64_t time = utc(column, row);
  if (time == Column::missing_time)
    table::refuse(column, row, {.demand = "must be a date or time", .remedy = "Remove samples without a time."});
  return time;
}

WrittenZone written_zone(const table::ColumnParts& parts, DateOrder order) {
  WrittenTimes times;
  if (parts.type() != ColumnType::text) return times.zone();
  parts.for_each([&](const Column& column, std::size_t n_rows) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (table::is_missing(column, row)) continue;
      const std::optional<values::WrittenTime> written = values::parse_time(column.text(row), order);
      if (!written && means_no_time(column.text(row))) continue;
      if (!written) refuse_time_text(column, row, order);
      times.add(*written, Resolution::microsecond);
    }
  });
  return times.zone();
}

}  // namespace pidforest::schema
