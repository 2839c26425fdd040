// SPDX-License-Identifier: Apache-2.0
// The samples of series in the order of their shingles, and the segments that no shingle crosses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "pidforest/table.h"

namespace pidforest::series {

struct Metric {
  std::string name;
  ColumnType type = ColumnType::number;
  std::vector<double> values = {};
};

/// Samples of one series without a gap between them.
struct Segment {
  std::size_t begin = 0;
  std::size_t n = 0;
};

struct SeriesSamples {
  std::vector<Metric> metrics = {};
  /// UTC microseconds; empty if the time is not known.
  std::vector<std::int64_t> times = {};
  /// The zone and the derivations of the times.
  ColumnSchema time = {};
  /// The row of each sample in the table that they were read from.
  std::vector<std::size_t> rows = {};
  std::vector<Segment> segments = {};
  /// What the times of the rows are like, in the order of the table.
  SampleOrder order = {};

  /// Microseconds from each sample to the next of its segment, if that is the same everywhere; otherwise 0.
  [[nodiscard]] std::int64_t even_step() const;
};

/// "cpu", "cpu 1 sample earlier", "cpu 2 samples earlier".
std::string lag_name(const std::string& metric, std::size_t lag);

/// Throws what the constructor of Series does, but for its last reason. If `metrics` are given, other columns are not
/// read.
SeriesSamples read_samples(const Batches& samples, const SeriesOptions& options, const Schema& declared,
                           const std::vector<ColumnSchema>* metrics = nullptr);

}  // namespace pidforest::series
