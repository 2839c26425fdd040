// SPDX-License-Identifier: Apache-2.0
// From how many bits on a row is an anomaly: read off the scores of the rows of the fit, as `contamination` says.
#pragma once

#include <vector>

#include "pidforest/options.h"

namespace pidforest::model {

/// The threshold that `contamination`, which is not none, sets: rows with a larger score are anomalies. There is at
/// least one score. docs/threshold.md explains `auto`.
double threshold_for(std::vector<double> scores, const Options& options);

}  // namespace pidforest::model
