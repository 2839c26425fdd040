// SPDX-License-Identifier: Apache-2.0
#include "file/tree_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>

#include "geometry/axis.h"
#include "pidforest/error.h"

namespace pidforest::file {

using forest::Node;
using forest::Tree;
using geometry::AxisKind;
using geometry::Piece;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Concatenates a member of all trees.
template <class Item, class Owner>
auto all_of(const std::vector<Owner>& owners, std::vector<Item> Owner::* member) {
  return owners | std::views::transform(member) | std::views::join;
}

/// Reads the concatenated arrays, one tree after the other.
class TreeReader {
 public:
  explicit TreeReader(SectionReader& file) : file_(file) { check_lengths(); }

  [[nodiscard]] std::size_t n_trees() const { return n_nodes_.size(); }

  /// Reads the next tree and its counts.
  Tree read_tree(std::vector<std::uint64_t>& counts) {
    const Stretch nodes = next_stretch(n_nodes_, next_node_, first_child_.size());
    const Stretch cuts = next_stretch(n_cuts_, next_cut_, cut_.size());
    const Stretch pieces = next_stretch(n_pieces_, next_piece_, piece_begin_.size());
    ++tree_;
    Tree tree;
    tree.nodes.reserve(nodes.end - nodes.begin);
    for (std::size_t i = nodes.begin; i < nodes.end; ++i) tree.nodes.push_back(read_node(i));
    tree.log2_volumes = log2_volume_.copy(nodes.begin, nodes.end);
    counts = count_.copy(nodes.begin, nodes.end);
    tree.cuts = cut_.copy(cuts.begin, cuts.end);
    tree.pieces.reserve(pieces.end - pieces.begin);
    for (std::size_t i = pieces.begin; i < pieces.end; ++i)
      tree.pieces.push_back({{piece_begin_[i], piece_end_[i]}, piece_child_[i]});
    return tree;
  }

  void check_end() const {
    if (next_node_ != first_child_.size() || next_cut_ != cut_.size() || next_piece_ != piece_begin_.size())
      throw BadFile("it has nodes, cuts or pieces that belong to no tree.");
  }

 private:
  struct Stretch {
    std::size_t begin;
    std::size_t end;
  };

  void check_lengths() const {
    const std::size_t n = first_child_.size();
    bool same = n_cuts_.size() == n_trees() && n_pieces_.size() == n_trees();
    for (const std::size_t size : {first_cut_.size(), n_node_cuts_.size(), axis_.size(), kind_.size(), n_values_.size(),
                                   fork_first_.size(), has_missing_.size(), log2_volume_.size(), count_.size()})
      same = same && size == n;
    if (!same || piece_end_.size() != piece_begin_.size() || piece_child_.size() != piece_begin_.size())
      throw BadFile("its arrays of trees, nodes or pieces have different lengths.");
  }

  [[nodiscard]] Stretch next_stretch(const LittleEndianArray<std::uint64_t>& sizes, std::size_t& next,
                                     std::size_t all) const {
    if (sizes[tree_] > all - next)
      throw BadFile(fmt::format("tree {} must have at most the {} nodes, cuts or pieces that are left; got {}.", tree_,
                                all - next, sizes[tree_]));
    const std::size_t begin = next;
    next += sizes[tree_];
    return {begin, next};
  }

  [[nodiscard]] Node read_node(std::size_t i) const {
    if (kind_[i] > static_cast<std::uint8_t>(geometry::last_axis_kind) || has_missing_[i] > 1)
      throw BadFile(
          fmt::format("tree {}: a node must be of kind 0, 1 or 2, with 0 or 1 child for missing values; "
                      "got {} and {}.",
                      tree_ - 1, kind_[i], has_missing_[i]));
    return {.first_child = first_child_[i],
            .first_cut = first_cut_[i],
            .n_cuts = n_node_cuts_[i],
            .axis = axis_[i],
            .kind = static_cast<AxisKind>(kind_[i]),
            .n_value_children = n_values_[i],
            .fork_first = fork_first_[i],
            .has_missing_child = has_missing_[i] == 1};
  }

  SectionReader& file_;
  LittleEndianArray<std::uint64_t> n_nodes_ = file_.take_array<std::uint64_t>("tree.n_nodes");
  LittleEndianArray<std::uint64_t> n_cuts_ = file_.take_array<std::uint64_t>("tree.n_cuts");
  LittleEndianArray<std::uint64_t> n_pieces_ = file_.take_array<std::uint64_t>("tree.n_pieces");
  LittleEndianArray<std::uint32_t> first_child_ = file_.take_array<std::uint32_t>("node.first_child");
  LittleEndianArray<std::uint32_t> first_cut_ = file_.take_array<std::uint32_t>("node.first_cut");
  LittleEndianArray<std::uint32_t> n_node_cuts_ = file_.take_array<std::uint32_t>("node.n_cuts");
  LittleEndianArray<std::uint32_t> axis_ = file_.take_array<std::uint32_t>("node.axis");
  LittleEndianArray<std::uint8_t> kind_ = file_.take_array<std::uint8_t>("node.kind");
  LittleEndianArray<std::uint8_t> n_values_ = file_.take_array<std::uint8_t>("node.n_values");
  LittleEndianArray<std::uint8_t> fork_first_ = file_.take_array<std::uint8_t>("node.fork_first");
  LittleEndianArray<std::uint8_t> has_missing_ = file_.take_array<std::uint8_t>("node.has_missing");
  LittleEndianArray<double> log2_volume_ = file_.take_array<double>("node.log2_volume");
  LittleEndianArray<std::uint64_t> count_ = file_.take_array<std::uint64_t>("node.count");
  LittleEndianArray<double> cut_ = file_.take_array<double>("cut");
  LittleEndianArray<std::uint32_t> piece_begin_ = file_.take_array<std::uint32_t>("piece.begin");
  LittleEndianArray<std::uint32_t> piece_end_ = file_.take_array<std::uint32_t>("piece.end");
  LittleEndianArray<std::uint8_t> piece_child_ = file_.take_array<std::uint8_t>("piece.child");
  std::size_t tree_ = 0;
  std::size_t next_node_ = 0;
  std::size_t next_cut_ = 0;
  std::size_t next_piece_ = 0;
};

/// Infinity stands for an interval without such bits.
void read_bits_off(SectionReader& file, std::span<forest::Root> roots, std::size_t n_axes) {
  const auto bits = file.take_array<double>("axis.bits_off");
  if (bits.size() != roots.size() * n_axes) throw BadFile("its arrays of axes have different lengths.");
  for (std::size_t i = 0; i < bits.size(); ++i) {
    geometry::Interval& interval = roots[i / n_axes][i % n_axes];
    if (bits[i] == infinity) continue;
    if (!(bits[i] >= 0) || interval.low != interval.high)
      throw BadFile(fmt::format("only an axis of a single value has bits off it, at least 0; got {}.", bits[i]));
    interval.bits_off = bits[i];
  }
}

}  // namespace

bool has_bits_off(std::span<const forest::Root> roots) {
  return std::ranges::any_of(roots | std::views::join, [](const geometry::Interval& i) { return bool(i.bits_off); });
}

void add_roots(SectionWriter& file, std::span<const forest::Root> roots) {
  const auto all = roots | std::views::join;
  file.add_array("axis.low", all, [](const geometry::Interval& i) { return i.low; });
  file.add_array("axis.high", all, [](const geometry::Interval& i) { return i.high; });
  file.add_array("axis.missing", all, [](const geometry::Interval& i) { return i.missing_share; });
  if (has_bits_off(roots))
    file.add_array("axis.bits_off", all, [](const geometry::Interval& i) { return i.bits_off.value_or(infinity); });
}

std::vector<forest::Root> read_roots(SectionReader& file, std::size_t n_axes, std::size_t n_trees) {
  const auto low = file.take_array<double>("axis.low");
  const auto high = file.take_array<double>("axis.high");
  const auto missing = file.take_array<double>("axis.missing");
  const bool is_shared = low.size() == n_axes;
  if (high.size() != low.size() || missing.size() != low.size() ||
      (!is_shared && (n_axes == 0 || low.size() % n_axes != 0 || low.size() / n_axes != n_trees)))
    throw BadFile("its arrays of axes have different lengths.");
  std::vector<forest::Root> roots(is_shared ? 1 : n_trees);
  for (std::size_t i = 0; i < low.size(); ++i) roots[i / n_axes].push_back({low[i], high[i], missing[i]});
  if (file.has("axis.bits_off")) read_bits_off(file, roots, n_axes);
  return roots;
}

void add_trees(SectionWriter& file, const std::vector<Tree>& trees, const Counts& counts) {
  const auto size = [](std::size_t n) { return static_cast<std::uint64_t>(n); };
  file.add_array("tree.n_nodes", trees, [&](const Tree& t) { return size(t.nodes.size()); });
  file.add_array("tree.n_cuts", trees, [&](const Tree& t) { return size(t.cuts.size()); });
  file.add_array("tree.n_pieces", trees, [&](const Tree& t) { return size(t.pieces.size()); });
  const auto nodes = all_of(trees, &Tree::nodes);
  file.add_array("node.first_child", nodes, [](const Node& n) { return n.first_child; });
  file.add_array("node.first_cut", nodes, [](const Node& n) { return n.first_cut; });
  file.add_array("node.n_cuts", nodes, [](const Node& n) { return n.n_cuts; });
  file.add_array("node.axis", nodes, [](const Node& n) { return n.axis; });
  file.add_array("node.kind", nodes, [](const Node& n) { return static_cast<std::uint8_t>(n.kind); });
  file.add_array("node.n_values", nodes, [](const Node& n) { return n.n_value_children; });
  file.add_array("node.fork_first", nodes, [](const Node& n) { return n.fork_first; });
  file.add_array("node.has_missing", nodes,
                 [](const Node& n) { return static_cast<std::uint8_t>(n.has_missing_child); });
  file.add_array("node.log2_volume", all_of(trees, &Tree::log2_volumes));
  file.add_array("node.count", counts.trees | std::views::join);
  file.add_array("cut", all_of(trees, &Tree::cuts));
  const auto pieces = all_of(trees, &Tree::pieces);
  file.add_array("piece.begin", pieces, [](const Piece& p) { return p.codes.begin; });
  file.add_array("piece.end", pieces, [](const Piece& p) { return p.codes.end; });
  file.add_array("piece.child", pieces, [](const Piece& p) { return static_cast<std::uint8_t>(p.child); });
}

void read_trees(SectionReader& file, std::vector<Tree>& trees, Counts& counts) {
  TreeReader reader(file);
  trees.reserve(reader.n_trees());
  counts.trees.resize(reader.n_trees());
  for (auto& tree_counts : counts.trees) trees.push_back(reader.read_tree(tree_counts));
  reader.check_end();
}

}  // namespace pidforest::file
