// SPDX-License-Identifier: Apache-2.0
// One row through many trees: nodes laid out so that eight trees are walked side by side without a branch that depends
// on the data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/tree.h"

namespace pidforest::stream {

/// A plain tree: rows have an axis, and all nodes cut numbers, at most three times each. Sampled cuts of columns of
/// numbers give such trees.
class WalkTree {
 public:
  static constexpr std::size_t most_cuts = 3;

  struct Node {
    /// Unused cuts are NaN, which no value reaches.
    std::array<double, most_cuts> cuts;
    /// Where the value lies, from the place of the row.
    std::int32_t offset;
    /// For a leaf: the leaf itself.
    std::uint32_t first_child;
  };

  /// `offsets` say where the value of each axis lies, from the place of a row.
  WalkTree(const forest::Tree& tree, std::span<const std::ptrdiff_t> offsets);

  /// Whether the tree is plain; otherwise there are no nodes.
  [[nodiscard]] bool is_plain() const { return !nodes_.empty(); }
  [[nodiscard]] const Node* nodes() const { return nodes_.data(); }

 private:
  std::vector<Node> nodes_;
};

/// Finds the leaf of each plain tree that a row without missing values reaches; `ends` of other trees stay as they are.
void walk(std::span<const WalkTree* const> trees, const double* row, std::span<std::uint32_t> ends);

/// The leaf that each of some rows reaches in one plain tree: rows of `stride` numbers, one after the other.
void walk_rows(const WalkTree& tree, const double* first, std::size_t stride, std::span<std::uint32_t> ends);

}  // namespace pidforest::stream
