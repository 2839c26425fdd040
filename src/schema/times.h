// SPDX-License-Identifier: Apache-2.0
// The times of a column as numbers, for code that puts events in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/time_column.h"

namespace pidforest::schema {

/// Infers how the times of a column are written from all of its values: their zone, and the order of day and month.
/// Throws InvalidInput for a column that is missing from the table or holds numbers, whose unit is unknown.
ColumnSchema infer_times(const Batches& table, const std::string& column);

class TimeParser {
 public:
  /// Reads a column of times as `infer_times` or a schema declares it. Throws InvalidInput for an unknown zone.
  explicit TimeParser(const ColumnSchema& schema);

  /// Microseconds since 1970-01-01 00:00 UTC. Throws InvalidInput for a value that is missing or not a time.
  [[nodiscard]] std::int64_t utc(const Column& column, std::size_t row) const;

 private:
  TimeReader reader_;
};

}  // namespace pidforest::schema
