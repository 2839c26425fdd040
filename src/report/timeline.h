// SPDX-License-Identifier: Apache-2.0
// Metrics and scores over time, reduced to as many numbers as a chart can draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "report/report_data.h"

namespace pidforest::report {

struct Timeline {
  /// The rows, in any order of time.
  const Batches& rows;
  /// The score of each row; NaN where it has none.
  std::span<const double> bits;
  const std::vector<bool>& anomalies;
  /// Numbers, from 0, of the rows that the report lists, in its order.
  std::span<const std::uint64_t> listed;
  /// The column of times, and how to read it. Rows without a time are left out.
  ColumnSchema time;
  /// The column that tells series apart; empty for a single series.
  std::string by = {};
  /// False if all times are dates.
  bool has_clock = true;
  /// The columns to draw; columns without numbers are skipped.
  std::vector<ColumnSchema> metrics = {};
  /// About how many numbers the result may hold.
  std::size_t most_numbers = 150'000;
};

/// Reads the rows at most twice. Memory: the result and the keys of the series; nothing else grows with the rows.
/// Returns no tracks if no row has a time. Throws InvalidInput for a missing column and for a value that is not a time.
ReportData::Series timeline_of(const Timeline& timeline, const Run& run = {});

}  // namespace pidforest::report
