// SPDX-License-Identifier: Apache-2.0
// A root cube that grows with the stream: the volumes of a tree's cubes after one of its axes has become longer.
#pragma once

#include <cstddef>
#include <vector>

#include "forest/tree.h"
#include "geometry/interval.h"

namespace pidforest::stream {

/// Widens the interval of an axis of numbers, which is not a point, to the range from `low` to `high`, which holds it.
/// Cuts stay where they are: cubes at the end of the axis become longer, and all others a smaller share of it. Returns
/// whether that changes any volume: a tree that does not cut the axis has the same ones.
bool widen(forest::Tree& tree, std::vector<geometry::Interval>& root, std::size_t axis, double low, double high);

}  // namespace pidforest::stream
