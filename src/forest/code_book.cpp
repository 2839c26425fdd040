// SPDX-License-Identifier: Apache-2.0
#include "forest/code_book.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace pidforest::forest {

CodeBook::CodeBook(const Forest& forest) : axes_(forest.root.size()) {
  for (const Tree& tree : forest.trees)
    for (const Node& node : tree.nodes)
      for (std::uint32_t i = 0; i < node.n_cuts; ++i) axes_[node.axis].cuts.push_back(tree.cuts[node.first_cut + i]);
  for (AxisCuts& axis : axes_) {
    std::sort(axis.cuts.begin(), axis.cuts.end());
    axis.cuts.erase(std::unique(axis.cuts.begin(), axis.cuts.end()), axis.cuts.end());
    axis.n_bits = static_cast<unsigned>(std::bit_width(axis.cuts.size()));
    axis.cuts.resize((std::size_t{1} << axis.n_bits) - 1, std::numeric_limits<double>::infinity());
    n_bits_ = std::max(n_bits_, axis.n_bits);
  }
  for (const Tree& tree : forest.trees) {
    CodedNodes& nodes = nodes_.emplace_back();
    for (std::uint32_t v = 0; v < tree.nodes.size(); ++v) {
      const Node& node = tree.nodes[v];
      if (node.is_leaf()) {
        nodes.leaves.push_back(v);
        continue;
      }
      nodes.inner.push_back({v, static_cast<std::uint32_t>(nodes.zero_bits.size())});
      for (std::uint32_t i = 0; i < node.n_cuts; ++i) add_cut(nodes, node.axis, tree.cuts[node.first_cut + i]);
    }
  }
}

void CodeBook::add_cut(CodedNodes& nodes, std::uint32_t axis, double cut) const {
  const auto& cuts = axes_[axis].cuts;
  const auto code = static_cast<std::size_t>(std::lower_bound(cuts.begin(), cuts.end(), cut) - cuts.begin()) + 1;
  for (unsigned bit = 0; bit < n_bits_; ++bit) nodes.zero_bits.push_back((code >> bit & 1U) != 0 ? 0 : ~0U);
}

}  // namespace pidforest::forest
