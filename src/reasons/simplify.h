// SPDX-License-Identifier: Apache-2.0
// Simplifies leaves: keeps the conditions whose cube is sparse enough for their price.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "forest/tree.h"
#include "geometry/part.h"

namespace pidforest::reasons {

/// The price of a condition in bits, by which it must make a cube sparser: per column and per bound. A range that is
/// bounded below and above has two bounds. Chosen by benchmarks/explain.
inline constexpr double price_of_column = 2;
inline constexpr double price_of_bound = 0.5;

/// The conditions of a leaf that matter, and their worth: the bits of their cube in a sample of rows, minus their
/// price.
struct LeafWitness {
  geometry::Parts parts;
  double worth = 0;
};

/// The witness of a leaf: the choice among its conditions and their bounds that is worth most.
LeafWitness simplify_leaf(const forest::Tree& tree, std::span<const geometry::Interval> root, std::uint32_t leaf,
                          const forest::Rows& sample);
/// The witnesses of all leaves. Inner nodes have no parts and worth 0.
std::vector<LeafWitness> simplify_leaves(const forest::Tree& tree, std::span<const geometry::Interval> root,
                                         const forest::Rows& sample);

}  // namespace pidforest::reasons
