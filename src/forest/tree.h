// SPDX-License-Identifier: Apache-2.0
// A tree as flat arrays: which axis each node cuts and where, and the volume of its cube. It knows no counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/axis.h"

namespace pidforest::forest {

/// The children of a node lie side by side and after it: first its value children, then, if it has one, the child for
/// missing values. A node without children is a leaf. `geometry::Fork` says how a value finds its child.
struct Node {
  std::uint32_t first_child = 0;
  /// Its cuts are cuts[first_cut] up to cuts[first_cut + n_cuts]; those of a category are pieces instead.
  std::uint32_t first_cut = 0;
  std::uint32_t n_cuts = 0;
  std::uint32_t axis = 0;
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  std::uint8_t n_value_children = 0;
  /// `first` of the fork.
  std::uint8_t fork_first = 0;
  bool has_missing_child = false;

  [[nodiscard]] bool is_leaf() const { return first_child == 0; }
  [[nodiscard]] std::uint32_t missing_child() const { return first_child + n_value_children; }
  [[nodiscard]] std::uint32_t n_children() const { return n_value_children + (has_missing_child ? 1U : 0U); }

  bool operator==(const Node&) const = default;
};

struct Tree {
  /// Node 0 is the root.
  std::vector<Node> nodes;
  std::vector<double> cuts;
  std::vector<geometry::Piece> pieces;
  /// log2 of each node's share of the root cube's volume.
  std::vector<double> log2_volumes;

  [[nodiscard]] geometry::Fork fork(const Node& node) const {
    const bool is_category = node.kind == geometry::AxisKind::category;
    return {.kind = node.kind,
            .cuts = is_category ? std::span<const double>() : std::span(cuts).subspan(node.first_cut, node.n_cuts),
            .pieces = is_category ? std::span(pieces).subspan(node.first_cut, node.n_cuts)
                                  : std::span<const geometry::Piece>(),
            .first = node.fork_first};
  }

  bool operator==(const Tree&) const = default;
};

}  // namespace pidforest::forest
