// SPDX-License-Identifier: Apache-2.0
// The cubes of a tree's nodes as conditions on the values of axes.
#pragma once

#include <cstdint>
#include <vector>

#include "forest/tree.h"
#include "geometry/part.h"

namespace pidforest::reasons {

/// The condition on the axis of `node` that leads to its child number `child`, from 0. `before` is the condition on
/// this axis that leads to the node itself; null if there is none.
geometry::Part part_of_child(const forest::Tree& tree, const forest::Node& node, std::uint32_t child,
                             const geometry::Part* before);

/// For each node the conditions that a row must meet to reach it, one per axis that is cut on the way, in the order of
/// the axes. Levels that came after the tree was grown are in the parts that their rows go to. A node that no value can
/// reach, since two of its parent's cuts are equal, has those of its parent.
std::vector<geometry::Parts> node_parts(const forest::Tree& tree);

}  // namespace pidforest::reasons
