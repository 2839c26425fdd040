// SPDX-License-Identifier: Apache-2.0
// How the fitted rows spread over one axis, as far as the leaves of the trees show it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "geometry/interval.h"
#include "geometry/part.h"
#include "model/state.h"

namespace pidforest::explain {

/// Estimates the share of the fitted rows in each of some stretches of an axis. `whole` has the ends of the axis.
/// Within a leaf, rows count as evenly spread; the result is the mean over at most 32 trees that may cut the axis. Rows
/// without a value belong to no stretch.
std::vector<double> shares_of_rows(const model::State& state, std::size_t axis, const geometry::Interval& whole,
                                   std::span<const geometry::Stretch> stretches);

}  // namespace pidforest::explain
