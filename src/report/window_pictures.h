// SPDX-License-Identifier: Apache-2.0
// The windows of series that gave rows their scores, as they are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/schema.h"
#include "pidforest/series.h"
#include "report/report_data.h"

namespace pidforest::report {

/// A row and the metrics to draw in its window.
struct WindowToDraw {
  /// From 0.
  std::uint64_t row = 0;
  std::vector<ColumnSchema> metrics = {};
};

/// The windows of rows, in their order; no value for a row without a window, and for windows beyond the first ones that
/// have 100,000 samples together. `scores` are of the samples of `series`; `time` is their column of times, if there is
/// one. A window of many samples is drawn with the lowest and the highest value of every few.
std::vector<std::optional<ReportData::Window>> window_pictures(const Series& series, const Scores& scores,
                                                               const std::optional<ColumnSchema>& time,
                                                               const std::vector<WindowToDraw>& rows);

}  // namespace pidforest::report
