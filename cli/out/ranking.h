// SPDX-License-Identifier: Apache-2.0
// Measures how well scores rank the rows that are labelled as anomalies.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace pidforest::cli {

struct RankingQuality {
  /// The chance that an anomaly scores higher than a normal row; a tie counts half.
  double auc;
  /// The mean over the anomalies of the share of anomalies among the rows that score at least as high.
  double average_precision;
};

/// Returns nullopt unless both labels occur.
std::optional<RankingQuality> ranking_quality(std::span<const double> scores, const std::vector<bool>& is_anomaly);

}  // namespace pidforest::cli
