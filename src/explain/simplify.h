// SPDX-License-Identifier: Apache-2.0
// The conditions of a leaf that matter: those whose cube is sparse for what they cost to say.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "forest/tree.h"
#include "geometry/part.h"

namespace pidforest::explain {

/// In bits: what a condition must make a cube sparser by to be worth saying, by column and by bound. A range that is
/// bounded below and above has two. Chosen by benchmarks/explain.
inline constexpr double price_of_column = 2;
inline constexpr double price_of_bound = 0.5;

/// The conditions of a leaf that matter, and what they are worth: the bits of their cube by a sample of rows, less
/// their price.
struct LeafWitness {
  geometry::Parts parts;
  double worth = 0;
};

/// The witness of a leaf: of all choices among its conditions, and among the bounds of each, the one that is worth
/// most.
LeafWitness simplify_leaf(const forest::Tree& tree, std::span<const geometry::Interval> root, std::uint32_t leaf,
                          const forest::Rows& sample);
/// Those of all leaves; other nodes have no parts and are worth nothing.
std::vector<LeafWitness> simplify_leaves(const forest::Tree& tree, std::span<const geometry::Interval> root,
                                         const forest::Rows& sample);

}  // namespace pidforest::explain
