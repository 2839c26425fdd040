// SPDX-License-Identifier: Apache-2.0
// A tree as flat arrays: which axis each node cuts and where, and the volume of its cube. It knows no counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pidforest::forest {

/// The children of a node lie side by side and after it: first its value children in the order of the axis, then, if it
/// has one, the child for missing values. A node without children is a leaf.
struct Node {
  std::uint32_t first_child = 0;
  /// Its cuts are cuts[first_cut] up to cuts[first_cut + n_cuts]: value child i holds cuts[i-1] <= x < cuts[i].
  std::uint32_t first_cut = 0;
  std::uint32_t axis = 0;
  std::uint16_t n_cuts = 0;
  bool has_missing_child = false;

  [[nodiscard]] bool is_leaf() const { return first_child == 0; }
  [[nodiscard]] std::uint32_t missing_child() const { return first_child + n_cuts + 1; }
  [[nodiscard]] std::uint32_t n_children() const { return n_cuts + (has_missing_child ? 2U : 1U); }

  bool operator==(const Node&) const = default;
};

struct Tree {
  /// Node 0 is the root.
  std::vector<Node> nodes;
  std::vector<double> cuts;
  /// log2 of each node's share of the root cube's volume.
  std::vector<double> log2_volumes;

  bool operator==(const Tree&) const = default;
};

}  // namespace pidforest::forest
