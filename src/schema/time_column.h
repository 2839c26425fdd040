// SPDX-License-Identifier: Apache-2.0
// A column of dates and times: its values in UTC and in local time, and what the schema may leave to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "table/column_parts.h"
#include "values/time.h"

namespace pidforest::schema {

/// Reads times, texts and numbers as one schema says.
class TimeReader {
 public:
  /// A schema without a zone is in UTC. Throws InvalidInput for a zone that is none.
  explicit TimeReader(const ColumnSchema& schema);

  /// UTC microseconds, or `Column::missing_time`. Throws InvalidInput for what is no time in the years 1 to 9999.
  [[nodiscard]] std::int64_t utc(const Column& column, std::size_t row) const;
  /// Microseconds of the local clock.
  [[nodiscard]] std::int64_t local(std::int64_t utc) const { return zone_.to_local(utc); }

 private:
  values::Zone zone_;
  EpochUnit unit_;
  DateOrder order_;
};

/// Where the texts of a column say that they are.
struct WrittenZone {
  std::string zone = "UTC";
  /// "no zone given, so UTC"
  std::string reason;
};

/// The offset that all texts share, otherwise UTC.
WrittenZone written_zone(const table::ColumnParts& parts, DateOrder order);

/// Fills in the zone, the resolution and the derivations where the schema has none. The derivations are hour_of_day and
/// day_of_week, from a span of two years on also month and day_of_year, as far as they vary; none without any value.
/// Throws InvalidInput for the first value that is no time.
void complete_time(ColumnSchema& schema, const table::ColumnParts& parts);

}  // namespace pidforest::schema
