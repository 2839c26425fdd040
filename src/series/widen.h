// SPDX-License-Identifier: Apache-2.0
// A root cube that grows with the rows that come: what a tree's cubes are worth once one of its axes is longer.
#pragma once

#include <cstddef>
#include <vector>

#include "forest/tree.h"
#include "geometry/interval.h"

namespace pidforest::series {

/// Makes the interval of an axis of numbers, which is not a point, reach from `low` to `high`, which hold it. No cut
/// moves: cubes at the end of the axis become longer, and all others a smaller share of it.
void widen(forest::Tree& tree, std::vector<geometry::Interval>& root, std::size_t axis, double low, double high);

}  // namespace pidforest::series
