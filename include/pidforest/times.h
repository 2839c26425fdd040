// SPDX-License-Identifier: Apache-2.0
// Dates and times of a column as numbers, for those who have to put events in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

/// How the times of a column are written, judged by all of them: their zone, and the order of day and month. Throws
/// InvalidInput for a column that is not there or holds numbers, of which nobody knows the unit.
ColumnSchema infer_times(const Batches& table, const std::string& column);

class TimeParser {
 public:
  /// Of a column of times, as `infer_times` or a schema says. Throws InvalidInput for a zone that is none.
  explicit TimeParser(const ColumnSchema& schema);

  /// Microseconds since 1970-01-01 00:00 UTC. Throws InvalidInput for what is no time, and if there is none.
  [[nodiscard]] std::int64_t utc(const Column& column, std::size_t row) const;

 private:
  struct Shared;
  std::shared_ptr<const Shared> shared_;
};

}  // namespace pidforest
