// SPDX-License-Identifier: Apache-2.0
// Metrics and scores over time, as few enough numbers to be drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/report.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::report {

struct Timeline {
  /// In any order of time.
  const Batches& rows;
  /// Of each row; NaN where it has no score.
  std::span<const double> bits;
  const std::vector<bool>& anomalies;
  /// The rows that the report lists, by number from 0, in its order.
  std::span<const std::uint64_t> listed;
  /// Which column of kind time, and how to read it. Rows without a time are left out.
  ColumnSchema time;
  /// The column that tells series apart; empty: there is one.
  std::string by = {};
  /// The columns to draw. Those that hold no numbers are not.
  std::vector<ColumnSchema> metrics = {};
  /// How many numbers the result may have, more or less.
  std::size_t most_numbers = 150'000;
};

/// Reads the rows twice at most; besides the result and what tells series apart it keeps nothing that grows with them.
/// No tracks if no row has a time. Throws InvalidInput for a column that the rows lack and for what is no time.
ReportData::Series timeline_of(const Timeline& timeline, const Run& run = {});

}  // namespace pidforest::report
