// SPDX-License-Identifier: Apache-2.0
// A column of dates and times: its values in UTC and local time, and the parts of its schema that are left to the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/time_facts.h"
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

/// The offset that all texts share, otherwise UTC. Throws InvalidInput for the first text that is not a time.
WrittenZone written_zone(const table::ColumnParts& parts, DateOrder order);

/// True for a text that means a missing time: blanks, nan, or a word such as NA.
bool means_no_time(std::string_view text);

/// Throws InvalidInput for a text that is not a date or time.
[[noreturn]] void refuse_time_text(const Column& column, std::size_t row, DateOrder order);

}  // namespace pidforest::schema
