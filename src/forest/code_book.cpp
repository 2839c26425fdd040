// SPDX-License-Identifier: Apache-2.0
#include "forest/code_book.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "geometry/sorted_numbers.h"

namespace pidforest::forest {

namespace {

bool is_category(const Node& node) { return node.kind == geometry::AxisKind::category; }

void sort_and_merge(std::vector<double>& cuts) {
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
}

/// The cuts in the order of the search; there are 2^n_bits - 1 of them.
std::vector<double> search_order(const std::vector<double>& cuts, unsigned n_bits) {
  constexpr std::size_t whole_vectors = 16;
  std::vector<double> search(std::max(cuts.size() + 1, whole_vectors), std::numeric_limits<double>::infinity());
  for (unsigned step = 0; step < n_bits; ++step)
    for (std::size_t i = 0; i < std::size_t{1} << step; ++i)
      search[(std::size_t{1} << step) + i] = cuts[((2 * i + 1) << (n_bits - 1 - step)) - 1];
  return search;
}

/// Calls `visit` with each border between the levels that a category node separates.
template <class Visit>
void for_each_border(const geometry::Fork& fork, const Visit& visit) {
  for (const geometry::Piece& piece : fork.pieces) {
    visit(piece.codes.begin);
    visit(piece.codes.end);
  }
}

}  // namespace

/// The classes of codes that one tree needs on each category axis.
class CodeBook::TreeClasses {
 public:
  TreeClasses(const CodeBook& book, const Tree& tree, std::vector<std::uint32_t>& classes) {
    for (const Node& node : tree.nodes)
      if (!node.is_leaf() && is_category(node)) axes_[node.axis].add(tree.fork(node));
    for (auto& [axis, own] : axes_) {
      const AxisCuts& all = book.axis(axis);
      sort_and_merge(own.borders);
      own.has_tables = own.size_of_tables(all.n_codes) <= own.most_for_tables();
      if (!own.has_tables) continue;
      own.first_class = static_cast<std::uint32_t>(classes.size());
      classes.push_back(0);
      for (std::size_t code = 1; code < all.n_codes; ++code) {
        const bool is_own = std::binary_search(own.borders.begin(), own.borders.end(), all.cuts[code - 1]);
        classes.push_back(classes.back() + (is_own ? 1 : 0));
      }
    }
  }

  /// Appends the child of each class of a node's axis, if the axis has tables.
  void add_node(const geometry::Fork& fork, std::uint32_t number, std::uint32_t axis, CodedNodes& nodes) const {
    const OwnAxis& own = axes_.at(axis);
    if (!own.has_tables) return nodes.inner.push_back({.node = number, .first_class = InnerNode::no_tables});
    nodes.inner.push_back({.node = number,
                           .first_class = own.first_class,
                           .first_child = static_cast<std::uint32_t>(nodes.children.size())});
    constexpr double before_all_levels = -1;
    nodes.children.push_back(static_cast<std::uint8_t>(fork.child_of(before_all_levels)));
    for (const double border : own.borders)  // the first level of a class stands for all of them
      nodes.children.push_back(static_cast<std::uint8_t>(fork.child_of(border)));
  }

 private:
  struct OwnAxis {
    std::vector<double> borders;
    std::size_t n_nodes = 0;
    std::size_t n_pieces = 0;
    std::uint32_t first_class = 0;
    bool has_tables = true;

    void add(const geometry::Fork& fork) {
      for_each_border(fork, [&](double border) { borders.push_back(border); });
      ++n_nodes;
      n_pieces += fork.pieces.size();
    }
    [[nodiscard]] std::size_t size_of_tables(std::size_t n_codes) const {
      return sizeof(std::uint32_t) * n_codes + n_nodes * (borders.size() + 1);
    }
    /// Both tables may grow quadratically with the size of the tree; speed justifies only a few times its size.
    [[nodiscard]] std::size_t most_for_tables() const {
      constexpr std::size_t per_node = 512;
      constexpr std::size_t per_piece = 64;
      return per_node * n_nodes + per_piece * n_pieces;
    }
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
    axis.search = search_order(axis.cuts, axis.n_bits);
    if (!axis.is_category) n_bits_ = std::max(n_bits_, axis.n_bits);
  }
}

CodeBook::CodedNodes CodeBook::code_nodes(const Tree& tree) const {
  CodedNodes nodes;
  nodes.zero_bits.reserve(tree.cuts.size() * n_bits_);
  const TreeClasses classes(*this, tree, nodes.classes);
  for (std::uint32_t v = 0; v < tree.nodes.size(); ++v) {
    const Node& node = tree.nodes[v];
    if (node.is_leaf()) {
      nodes.leaves.push_back(v);
    } else if (is_category(node)) {
      classes.add_node(tree.fork(node), v, node.axis, nodes);
    } else {
      nodes.inner.push_back({.node = v, .first_bit = static_cast<std::uint32_t>(nodes.zero_bits.size())});
      for (const double cut : tree.fork(node).cuts) add_cut(nodes, node.axis, cut);
    }
  }
  return nodes;
}

void CodeBook::add_cut(CodedNodes& nodes, std::uint32_t axis, double cut) const {
  const auto& cuts = axes_[axis].cuts;
  const std::size_t code = geometry::n_below(cuts, cut) + 1;
  const std::size_t first = nodes.zero_bits.size();
  nodes.zero_bits.resize(first + n_bits_);
  for (unsigned bit = 0; bit < n_bits_; ++bit) nodes.zero_bits[first + bit] = (code >> bit & 1U) != 0 ? 0 : ~0U;
}

}  // namespace pidforest::forest
