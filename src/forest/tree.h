// SPDX-License-Identifier: Apache-2.0
// A tree as flat arrays: the axis and the cuts of each node, and the volume of its cube. It contains no counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/axis.h"

namespace pidforest::forest {

/// The children of a node are adjacent and come after it: first its value children, then, if there is one, the child
/// for missing values. A node without children is a leaf. `geometry::Fork` defines how a value finds its child.
struct Node {
  std::uint32_t first_child = 0;
  /// The cuts are cuts[first_cut] up to but not including cuts[first_cut + n_cuts]. A category has pieces instead.
  std::uint32_t first_cut = 0;
  std::uint32_t n_cuts = 0;
  std::uint32_t axis = 0;
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  std::uint8_t n_value_children = 0;
  /// The member `first` of the node's fork.
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
