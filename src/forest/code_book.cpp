// SPDX-License-Identifier: Apache-2.0
#include "forest/code_book.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace pidforest::forest {

namespace {

bool is_category(const Node& node) { return node.kind == geometry::AxisKind::category; }

void sort_and_merge(std::vector<double>& cuts) {
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
}

/// Calls `visit` with each border between the levels that a category's node tells apart.
template <class Visit>
void for_each_border(const geometry::Fork& fork, const Visit& visit) {
  for (const geometry::Piece& piece : fork.pieces) {
    visit(piece.codes.begin);
    visit(piece.codes.end);
  }
}

}  // namespace

/// The classes of the codes of each category axis that one tree asks for.
class CodeBook::TreeClasses {
 public:
  TreeClasses(const CodeBook& book, const Tree& tree, std::vector<std::uint32_t>& classes) {
    for (const Node& node : tree.nodes)
      if (!node.is_leaf() && is_category(node))
        for_each_border(tree.fork(node), [&](double border) { axes_[node.axis].borders.push_back(border); });
    for (auto& [axis, own] : axes_) {
      sort_and_merge(own.borders);
      own.first_class = static_cast<std::uint32_t>(classes.size());
      classes.push_back(0);
      for (const double cut : book.axis(axis).cuts)
        classes.push_back(classes.back() + (std::binary_search(own.borders.begin(), own.borders.end(), cut) ? 1 : 0));
    }
  }

  [[nodiscard]] std::uint32_t first_class(std::uint32_t axis) const { return axes_.at(axis).first_class; }

  /// Appends the child of each class of a node's axis.
  void add_children(const geometry::Fork& fork, std::uint32_t axis, std::vector<std::uint8_t>& children) const {
    constexpr double before_all_levels = -1;
    children.push_back(static_cast<std::uint8_t>(fork.child_of(before_all_levels)));
    for (const double border : axes_.at(axis).borders)  // the first level of the class stands for all
      children.push_back(static_cast<std::uint8_t>(fork.child_of(border)));
  }

 private:
  struct OwnAxis {
    std::vector<double> borders;
    std::uint32_t first_class = 0;
  };
  std::map<std::uint32_t, OwnAxis> axes_;
};

CodeBook::CodeBook(const Forest& forest) : axes_(forest.root.size()) {
  collect_cuts(forest);
  for (const Tree& tree : forest.trees) nodes_.push_back(code_nodes(tree));
}

void CodeBook::collect_cuts(const Forest& forest) {
  for (const Tree& tree : forest.trees)
    for (const Node& node : tree.nodes) {
      if (node.is_leaf()) continue;
      AxisCuts& axis = axes_[node.axis];
      axis.is_category |= is_category(node);
      const geometry::Fork fork = tree.fork(node);
      axis.cuts.insert(axis.cuts.end(), fork.cuts.begin(), fork.cuts.end());
      for_each_border(fork, [&](double border) { axis.cuts.push_back(border); });
    }
  for (AxisCuts& axis : axes_) {
    sort_and_merge(axis.cuts);
    axis.n_codes = axis.cuts.size() + 1;
    axis.n_bits = static_cast<unsigned>(std::bit_width(axis.cuts.size()));
    axis.cuts.resize((std::size_t{1} << axis.n_bits) - 1, std::numeric_limits<double>::infinity());
    if (!axis.is_category) n_bits_ = std::max(n_bits_, axis.n_bits);
  }
}

CodeBook::CodedNodes CodeBook::code_nodes(const Tree& tree) const {
  CodedNodes nodes;
  const TreeClasses classes(*this, tree, nodes.classes);
  for (std::uint32_t v = 0; v < tree.nodes.size(); ++v) {
    const Node& node = tree.nodes[v];
    if (node.is_leaf()) {
      nodes.leaves.push_back(v);
    } else if (is_category(node)) {
      nodes.inner.push_back({.node = v,
                             .first_class = classes.first_class(node.axis),
                             .first_child = static_cast<std::uint32_t>(nodes.children.size())});
      classes.add_children(tree.fork(node), node.axis, nodes.children);
    } else {
      nodes.inner.push_back({.node = v, .first_bit = static_cast<std::uint32_t>(nodes.zero_bits.size())});
      for (const double cut : tree.fork(node).cuts) add_cut(nodes, node.axis, cut);
    }
  }
  return nodes;
}

void CodeBook::add_cut(CodedNodes& nodes, std::uint32_t axis, double cut) const {
  const auto& cuts = axes_[axis].cuts;
  const auto code = static_cast<std::size_t>(std::lower_bound(cuts.begin(), cuts.end(), cut) - cuts.begin()) + 1;
  for (unsigned bit = 0; bit < n_bits_; ++bit) nodes.zero_bits.push_back((code >> bit & 1U) != 0 ? 0 : ~0U);
}

}  // namespace pidforest::forest
