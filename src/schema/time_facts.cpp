// SPDX-License-Identifier: Apache-2.0
#include "schema/time_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace pidforest::schema {

namespace {

Resolution resolution_of(std::int64_t local) {
  if (local % values::microseconds_per_hour == 0) return Resolution::hour;
  if (local % values::microseconds_per_minute == 0) return Resolution::minute;
  return local % values::microseconds_per_second == 0 ? Resolution::second : Resolution::microsecond;
}

/// Whether times that are written in this way say it.
bool is_known(Derivation derivation, DateOrder order) {
  if (order == DateOrder::no_date || order == DateOrder::no_year) return derivation == Derivation::hour_of_day;
  return order != DateOrder::no_day || derivation == Derivation::month;
}

std::string offset_name(int minutes) {
  if (minutes == 0) return "UTC";
  const int size = std::abs(minutes);
  return fmt::format("{}{:02}:{:02}", minutes < 0 ? '-' : '+', size / 60, size % 60);
}

}  // namespace

void TimeFacts::add(std::int64_t utc, std::int64_t local, Resolution cells) {
  first = std::min(first, utc);
  last = std::max(last, utc);
  resolution = std::max(resolution, resolution_of(local));
  for (std::size_t d = 0; d < cyclic_derivations.size(); ++d) {
    const std::int64_t cell = values::derived_cell(cyclic_derivations[d], cells, local);
    least_cells[d] = std::min(least_cells[d], cell);
    greatest_cells[d] = std::max(greatest_cells[d], cell);
  }
}

void TimeFacts::merge(const TimeFacts& other) {
  first = std::min(first, other.first);
  last = std::max(last, other.last);
  resolution = std::max(resolution, other.resolution);
  for (std::size_t d = 0; d < cyclic_derivations.size(); ++d) {
    least_cells[d] = std::min(least_cells[d], other.least_cells[d]);
    greatest_cells[d] = std::max(greatest_cells[d], other.greatest_cells[d]);
  }
}

std::vector<Derivation> TimeFacts::varying() const {
  constexpr std::int64_t two_years = 730 * values::microseconds_per_day;
  const bool spans_years = last - first >= two_years;
  std::vector<Derivation> derivations;
  for (std::size_t d = 0; d < cyclic_derivations.size(); ++d) {
    const bool is_within_year =
        cyclic_derivations[d] == Derivation::month || cyclic_derivations[d] == Derivation::day_of_year;
    const bool varies = least_cells[d] < greatest_cells[d];
    if (varies && (spans_years || !is_within_year)) derivations.push_back(cyclic_derivations[d]);
  }
  return derivations;
}

void WrittenTimes::add(const values::WrittenTime& time, Resolution cells) {
  const std::optional<int> minutes = time.offset_minutes;
  any_without |= !minutes.has_value();
  offsets_differ |= offset && minutes.value_or(*offset) != *offset;
  if (!offset) offset = minutes;
  const std::int64_t utc = time.clock - minutes.value_or(0) * values::microseconds_per_minute;
  TimeFacts own;
  own.add(utc, time.clock, cells);
  by_clock.merge(own);
  if (utc != time.clock) {
    own = {};
    own.add(utc, utc, cells);
  }
  by_utc.merge(own);
}

void WrittenTimes::merge(const WrittenTimes& other) {
  any_without |= other.any_without;
  offsets_differ |= other.offsets_differ || (offset && other.offset.value_or(*offset) != *offset);
  if (!offset) offset = other.offset;
  by_clock.merge(other.by_clock);
  by_utc.merge(other.by_utc);
}

WrittenZone WrittenTimes::zone() const {
  if (!offset) return {.reason = "no zone given, so UTC"};
  if (offsets_differ) return {.reason = "offsets differ, so UTC"};
  if (any_without) return {.reason = "some without a zone, so UTC"};
  return {.zone = offset_name(*offset), .reason = fmt::format("in {}", offset_name(*offset))};
}

const TimeFacts& WrittenTimes::facts() const { return is_shared() ? by_clock : by_utc; }

void complete_time(ColumnSchema& schema, const TimeFacts& facts) {
  if (facts.are_empty()) return;
  if (!schema.resolution) schema.resolution = facts.resolution;
  if (!schema.derive.empty()) return;
  schema.derive = facts.varying();
  std::erase_if(schema.derive, [&](Derivation derivation) { return !is_known(derivation, schema.date_order); });
}

}  // namespace pidforest::schema
