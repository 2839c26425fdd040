// SPDX-License-Identifier: Apache-2.0
#include "stream/walk.h"

#include <algorithm>
#include <limits>

namespace pidforest::stream {

namespace {

constexpr std::size_t side_by_side = 8;

struct Walker {
  const WalkTree::Node* nodes;
  const double* row;
};

/// Walks all of them to their leaves, one step of each at a time: the steps do not wait for each other.
void walk_together(const std::array<Walker, side_by_side>& walkers, std::array<std::uint32_t, side_by_side>& at) {
  at.fill(0);
  for (std::uint32_t moved = 1; moved != 0;) {
    moved = 0;
    for (std::size_t i = 0; i < side_by_side; ++i) {
      const WalkTree::Node& node = walkers[i].nodes[at[i]];
      const double x = walkers[i].row[node.offset];
      std::uint32_t next = node.first_child;
      for (const double cut : node.cuts) next += x >= cut ? 1U : 0U;
      moved |= next ^ at[i];
      at[i] = next;
    }
  }
}

}  // namespace

WalkTree::WalkTree(const forest::Tree& tree, std::span<const std::ptrdiff_t> offsets) {
  if (offsets.empty()) return;  // every step reads a value, also at a leaf
  for (const forest::Node& node : tree.nodes)
    if (!node.is_leaf() && (node.kind != geometry::AxisKind::ordered || node.n_cuts > most_cuts)) return;
  nodes_.reserve(tree.nodes.size());
  for (std::uint32_t v = 0; v < tree.nodes.size(); ++v) {
    const forest::Node& node = tree.nodes[v];
    Node& plain = nodes_.emplace_back();
    plain.cuts.fill(std::numeric_limits<double>::quiet_NaN());
    plain.offset = node.is_leaf() ? 0 : static_cast<std::int32_t>(offsets[node.axis]);
    plain.first_child = node.is_leaf() ? v : node.first_child;
    if (!node.is_leaf()) std::copy_n(tree.cuts.begin() + node.first_cut, node.n_cuts, plain.cuts.begin());
  }
}

void walk(std::span<const WalkTree* const> trees, const double* row, std::span<std::uint32_t> ends) {
  std::array<Walker, side_by_side> walkers{};
  std::array<std::uint32_t, side_by_side> at{};
  std::array<std::size_t, side_by_side> places{};
  std::size_t n = 0;
  const auto walk_those = [&] {
    if (n == 0) return;
    std::fill(walkers.begin() + static_cast<std::ptrdiff_t>(n), walkers.end(), walkers[0]);
    walk_together(walkers, at);
    for (std::size_t i = 0; i < n; ++i) ends[places[i]] = at[i];
    n = 0;
  };
  for (std::size_t t = 0; t < trees.size(); ++t) {
    if (!trees[t]->is_plain()) continue;
    walkers[n] = {trees[t]->nodes(), row};
    places[n++] = t;
    if (n == side_by_side) walk_those();
  }
  walk_those();
}

void walk_rows(const WalkTree& tree, const double* first, std::size_t stride, std::span<std::uint32_t> ends) {
  std::array<Walker, side_by_side> walkers{};
  std::array<std::uint32_t, side_by_side> at{};
  for (std::size_t begin = 0; begin < ends.size(); begin += side_by_side) {
    const std::size_t n = std::min(side_by_side, ends.size() - begin);
    for (std::size_t i = 0; i < side_by_side; ++i)
      walkers[i] = {tree.nodes(), first + (begin + std::min(i, n - 1)) * stride};
    walk_together(walkers, at);
    std::copy_n(at.begin(), n, ends.begin() + static_cast<std::ptrdiff_t>(begin));
  }
}

}  // namespace pidforest::stream
