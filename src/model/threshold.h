// SPDX-License-Identifier: Apache-2.0
// The threshold above which a row is an anomaly, computed from the scores of fitted rows as `contamination` says.
#pragma once

#include <vector>

#include "pidforest/options.h"

namespace pidforest::model {

/// Whether one forest gave all scores. The forest of a stream changes, and its scores with it: the automatic threshold
/// is then at least two bits.
enum class ScoredBy { one_forest, many_forests };

/// Returns the threshold; rows with a larger score are anomalies. `contamination` must not be none, and there must be
/// at least one score. docs/threshold.md explains `auto`.
double threshold_for(std::vector<double> scores, const Options& options, ScoredBy scored_by = ScoredBy::one_forest);

}  // namespace pidforest::model
