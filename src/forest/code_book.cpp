// SPDX-License-Identifier: Apache-2.0
#include "forest/code_book.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace pidforest::forest {

namespace {

/// Calls use(axis, index of the cut) for every cut of the tree.
template <class Use>
void for_each_cut(const Tree& tree, const Use& use) {
  for (const Node& node : tree.nodes)
    for (std::uint32_t i = 0; i < node.n_cuts; ++i) use(node.axis, node.first_cut + i);
}

std::vector<std::uint32_t> nodes_that(const Tree& tree, bool are_leaves) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t v = 0; v < tree.nodes.size(); ++v)
    if (tree.nodes[v].is_leaf() == are_leaves) nodes.push_back(v);
  return nodes;
}

}  // namespace

CodeBook::CodeBook(const Forest& forest) : axes_(forest.root.size()) {
  for (const Tree& tree : forest.trees)
    for_each_cut(tree, [&](std::uint32_t axis, std::uint32_t i) { axes_[axis].cuts.push_back(tree.cuts[i]); });
  for (AxisCuts& axis : axes_) {
    std::sort(axis.cuts.begin(), axis.cuts.end());
    axis.cuts.erase(std::unique(axis.cuts.begin(), axis.cuts.end()), axis.cuts.end());
  }
  for (const Tree& tree : forest.trees) {
    std::vector<std::uint32_t> codes(tree.cuts.size());
    for_each_cut(tree, [&](std::uint32_t axis, std::uint32_t i) {
      const auto& cuts = axes_[axis].cuts;
      const auto place = std::lower_bound(cuts.begin(), cuts.end(), tree.cuts[i]) - cuts.begin();
      codes[i] = static_cast<std::uint32_t>(place) + 1;
    });
    codes_.push_back(std::move(codes));
    inner_nodes_.push_back(nodes_that(tree, false));
    leaves_.push_back(nodes_that(tree, true));
  }
  for (AxisCuts& axis : axes_) {
    axis.n_steps = static_cast<unsigned>(std::bit_width(axis.cuts.size()));
    axis.cuts.resize((std::size_t{1} << axis.n_steps) - 1, std::numeric_limits<double>::infinity());
    largest_code_ = std::max(largest_code_, axis.cuts.size());
  }
}

}  // namespace pidforest::forest
