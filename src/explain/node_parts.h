// SPDX-License-Identifier: Apache-2.0
// The cubes of a tree's nodes as conditions on the values of axes.
#pragma once

#include <span>
#include <vector>

#include "forest/tree.h"
#include "geometry/part.h"

namespace pidforest::explain {

/// For each node, the conditions that a row must meet to reach it: one per axis that is cut on the way, in the order of
/// the axes. A node that no value can reach, because two cuts of its parent are equal, has its parent's conditions.
std::vector<geometry::Parts> node_parts(const forest::Tree& tree, std::span<const geometry::Interval> root);

}  // namespace pidforest::explain
