// SPDX-License-Identifier: Apache-2.0
// A column of dates and times: its values in UTC and local time, and the parts of its schema that are left to the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "table/column_parts.h"
#include "values/time.h"

namespace pidforest::schema {

/// Reads times, texts and numbers as the schema says.
class TimeReader {
 public:
  /// A schema without a zone means UTC. Throws InvalidInput for an unknown zone.
  explicit TimeReader(const ColumnSchema& schema);

  /// Returns UTC microseconds, or `Column::missing_time`. Throws InvalidInput for a value that is not a time in the
  /// years 1 to 9999.
  [[nodiscard]] std::int64_t utc(const Column& column, std::size_t row) const;
  /// Like `utc`, but throws InvalidInput for a missing value too.
  [[nodiscard]] std::int64_t required_utc(const Column& column, std::size_t row) const;
  /// Microseconds of the local clock.
  [[nodiscard]] std::int64_t local(std::int64_t utc) const { return zone_.to_local(utc); }

 private:
  values::Zone zone_;
  EpochUnit unit_;
  DateOrder order_;
};

/// The zone that the texts of a column are written in.
struct WrittenZone {
  std::string zone = "UTC";
  /// For example "no zone given, so UTC".
  std::string reason;
};

/// The offset that all texts share, otherwise UTC.
WrittenZone written_zone(const table::ColumnParts& parts, DateOrder order);

/// Fills in the zone, the resolution and the derivations if the schema does not have them. The derivations are
/// hour_of_day and day_of_week, and from a span of two years on also month and day_of_year; only those that vary, and
/// none if there are no values. Throws InvalidInput for the first value that is not a time.
void complete_time(ColumnSchema& schema, const table::ColumnParts& parts);

}  // namespace pidforest::schema
