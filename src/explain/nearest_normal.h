// SPDX-License-Identifier: Apache-2.0
// The nearest change of a row that makes it normal, for rows that are encoded already.
#pragma once

#include <optional>
#include <vector>

#include "model/state.h"
#include "pidforest/explain.h"
#include "pidforest/options.h"

namespace pidforest::explain {

/// As pidforest::nearest_normal. `row` has an encoded value for each axis of the forest.
std::optional<std::vector<Condition>> nearest_normal(const model::State& state, std::vector<double> row,
                                                     double threshold, const Run& run);

}  // namespace pidforest::explain
