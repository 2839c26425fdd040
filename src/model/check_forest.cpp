// SPDX-License-Identifier: Apache-2.0
#include "model/check_forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "geometry/partition.h"
#include "model/roots.h"
#include "pidforest/error.h"
#include "values/excerpt.h"

namespace pidforest::model {

using forest::Forest;
using forest::Node;
using forest::Tree;
using geometry::AxisKind;

namespace {

/// Limit of the code book, which counts in 32 bits.
constexpr std::size_t most_nodes = std::size_t{1} << 26U;

class TreeCheck {
 public:
  TreeCheck(const Forest& forest, std::size_t number, std::span<const schema::AxisInfo> infos, std::int64_t max_depth)
      : forest_(forest),
        root_(forest.root_of(number)),
        tree_(forest.trees[number]),
        number_(number),
        infos_(infos),
        max_depth_(max_depth) {}

  void check() {
    const std::size_t n = tree_.nodes.size();
    if (n == 0 || n > most_nodes || tree_.log2_volumes.size() != n)
      refuse(0, fmt::format("the tree must have between 1 and {} nodes; got {}", most_nodes, n));
    parents_.assign(n, none);
    for (std::uint32_t v = 0; v < n; ++v)
      if (tree_.nodes[v].is_leaf())
        check_leaf(v);
      else
        check_children(v);
    check_depths();
    check_order_of_cuts();  // the checks of forks below rely on it
    for (std::uint32_t v = 0; v < n; ++v)
      if (!tree_.nodes[v].is_leaf()) check_fork(v);
    check_volumes();
  }

 private:
  [[noreturn]] void refuse(std::size_t node, std::string_view complaint) const {
    throw InvalidInput(fmt::format("tree {}, node {}: {}.", number_, node, complaint));
  }

  void check_leaf(std::uint32_t v) const {
    if (tree_.nodes[v] != Node{}) refuse(v, "a node without children must have no cut either");
  }

  void check_children(std::uint32_t v) {
    const Node& node = tree_.nodes[v];
    if (node.n_value_children == 0 || node.n_value_children > geometry::max_groups)
      refuse(v, fmt::format("must have between 1 and {} children with values; got {}", geometry::max_groups,
                            node.n_value_children));
    if (node.first_child <= v || std::uint64_t{node.first_child} + node.n_children() > tree_.nodes.size())
      refuse(v, fmt::format("its {} children must come after it, within the {} nodes; got {} as the first",
                            node.n_children(), tree_.nodes.size(), node.first_child));
    for (std::uint32_t child = node.first_child; child < node.first_child + node.n_children(); ++child) {
      if (parents_[child] != none) refuse(child, "must have one parent; got two");
      parents_[child] = v;
    }
  }

  void check_depths() const {
    std::vector<std::uint8_t> depths(tree_.nodes.size(), 0);
    for (std::uint32_t v = 1; v < depths.size(); ++v) {
      if (parents_[v] == none) refuse(v, "must have a parent; got none");
      depths[v] = static_cast<std::uint8_t>(depths[parents_[v]] + 1);
      if (depths[v] > max_depth_)
        refuse(v, fmt::format("must be at most {} deep, as the option max_depth says", max_depth_));
    }
  }

  /// Cuts and pieces must be in the order of the children that they make.
  void check_order_of_cuts() const {
    std::size_t n_cuts = 0;
    std::size_t n_pieces = 0;
    for (std::uint32_t child = 1; child < tree_.nodes.size(); ++child) {
      const Node& node = tree_.nodes[parents_[child]];
      if (child != node.first_child) continue;
      std::size_t& next = node.kind == AxisKind::category ? n_pieces : n_cuts;
      const std::size_t end = node.kind == AxisKind::category ? tree_.pieces.size() : tree_.cuts.size();
      if (node.first_cut != next || node.n_cuts > end - next)
        refuse(parents_[child], fmt::format("its {} cuts must begin at {}, and the tree has {}; got {}", node.n_cuts,
                                            next, end, node.first_cut));
      next += node.n_cuts;
    }
    if (n_cuts != tree_.cuts.size() || n_pieces != tree_.pieces.size())
      refuse(0, "every cut of the tree must belong to a node");
  }

  void check_fork(std::uint32_t v) const {
    const Node& node = tree_.nodes[v];
    if (node.axis >= infos_.size())
      refuse(v, fmt::format("its axis must be one of {}; got {}", infos_.size(), node.axis));
    if (!forest_.sees(number_, node.axis)) refuse(v, "its axis must be in the view of the tree");
    if (std::isinf(root_[node.axis].high)) refuse(v, "the tree knows nothing of the axis that it cuts");
    if (node.has_missing_child && root_[node.axis].missing_share <= 0)
      refuse(v, "must have no child for missing values, as they have no length on its axis");
    if (node.kind == AxisKind::ordered && node.n_cuts == 0 && node.has_missing_child)
      return check_ordered(v);  // only the missing values are set apart, which every kind of axis may do
    if (node.kind != kind_of(infos_[node.axis], root_[node.axis])) refuse(v, "its kind must be that of its axis");
    if (node.kind == AxisKind::category) return check_pieces(v);
    if (node.kind == AxisKind::cyclic) return check_arcs(v);
    check_ordered(v);
  }

  void check_ordered(std::uint32_t v) const {
    const Node& node = tree_.nodes[v];
    if (node.n_value_children != node.n_cuts + 1 || node.fork_first != 0)
      refuse(v, fmt::format("{} cuts must make one child more; got {}", node.n_cuts, node.n_value_children));
    check_cuts(v, tree_.fork(node).cuts);
    const auto cuts = tree_.fork(node).cuts;
    if (std::ranges::adjacent_find(cuts, std::greater_equal<>()) != cuts.end()) refuse(v, "its cuts must increase");
  }

  void check_arcs(std::uint32_t v) const {
    const Node& node = tree_.nodes[v];
    if (node.n_value_children != node.n_cuts || node.fork_first >= node.n_value_children)
      refuse(v,
             fmt::format("{} cuts of a circle must make as many children; got {}", node.n_cuts, node.n_value_children));
    check_cuts(v, tree_.fork(node).cuts);
    // Two cuts that are equal after rounding enclose an arc without values.
    if (!std::ranges::is_sorted(tree_.fork(node).cuts)) refuse(v, "its cuts must increase");
  }

  void check_cuts(std::uint32_t v, std::span<const double> cuts) const {
    const geometry::Interval& whole = root_[tree_.nodes[v].axis];
    for (const double cut : cuts)
      if (!(cut >= whole.low && cut <= whole.high))
        refuse(v, fmt::format("its cuts must be between {} and {}; got {}", whole.low, whole.high, cut));
  }

  void check_pieces(std::uint32_t v) const {
    const Node& node = tree_.nodes[v];
    if (node.fork_first >= node.n_value_children || node.n_cuts == 0)
      refuse(v, "its levels must belong to its children");
    const auto n_levels = static_cast<std::uint32_t>(root_[node.axis].high);
    std::uint32_t end = 0;
    for (const geometry::Piece& piece : tree_.fork(node).pieces) {
      if (piece.codes.begin < end || piece.codes.end <= piece.codes.begin || piece.codes.end > n_levels ||
          piece.child >= node.n_value_children)
        refuse(v, fmt::format("its levels must increase, be fewer than {} and belong to its children; got {} to {} in "
                              "child {}",
                              n_levels, piece.codes.begin, piece.codes.end, piece.child));
      end = piece.codes.end;
    }
  }

  void check_volumes() const {
    constexpr double rounding = 1e-6;
    const auto& volumes = tree_.log2_volumes;
    if (volumes[0] != 0) refuse(0, "the volume of the root must be 1");
    for (std::uint32_t v = 0; v < tree_.nodes.size(); ++v) {
      const Node& node = tree_.nodes[v];
      if (!std::isfinite(volumes[v])) refuse(v, "its volume must be a number above 0");
      double sum = node.is_leaf() ? 1 : 0;
      for (std::uint32_t i = 0; i < node.n_children(); ++i)
        sum += std::exp2(volumes[node.first_child + i] - volumes[v]);
      if (!(std::abs(sum - 1) <= rounding)) refuse(v, "the volumes of its children must add up to its own");
    }
  }

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const Forest& forest_;
  const forest::Root& root_;
  const Tree& tree_;
  std::size_t number_;
  std::span<const schema::AxisInfo> infos_;
  std::int64_t max_depth_;
  std::vector<std::uint32_t> parents_;
};

[[noreturn]] void refuse_counts(std::size_t tree, std::size_t node, std::string_view complaint) {
  throw InvalidInput(fmt::format("tree {}, node {}: {}.", tree, node, complaint));
}

void check_tree_counts(const Tree& tree, std::size_t number, const std::vector<std::uint64_t>& counts) {
  if (counts.size() != tree.nodes.size())
    refuse_counts(number, 0, fmt::format("the tree has {} nodes; got {} counts", tree.nodes.size(), counts.size()));
  for (std::size_t v = 0; v < counts.size(); ++v) {
    const Node& node = tree.nodes[v];
    if (node.is_leaf()) continue;
    std::uint64_t left = counts[v];
    for (std::uint32_t i = 0; i < node.n_children(); ++i) {
      if (counts[node.first_child + i] > left)
        refuse_counts(number, v, fmt::format("its children must have no more rows than its own {}", counts[v]));
      left -= counts[node.first_child + i];
    }
    // A row stays at a node only if its value is missing and the node has no child for missing values.
    if (left > 0 && node.has_missing_child)
      refuse_counts(number, v,
                    fmt::format("its children must have all of its {} rows; {} are missing", counts[v], left));
  }
}

/// `n_levels` counts where the interval is one of levels.
geometry::Interval checked_by_levels(const schema::AxisInfo& info, std::size_t n_levels, geometry::Interval interval) {
  const auto refuse = [&](std::string_view demand) {
    throw BadFile(fmt::format("the axis '{}' {}; got {} to {}, with a share of {} for missing values.",
                              values::excerpt(info.name), demand, interval.low, interval.high, interval.missing_share));
  };
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high) || interval.low > interval.high)
    refuse("must lie between two numbers, the lower first");
  if (!(interval.missing_share >= 0 && interval.missing_share < 1))
    refuse("must leave a share of at least 0 and less than 1 to missing values");
  const AxisKind kind = kind_of(info, interval);
  const double whole = kind == AxisKind::cyclic ? info.period : static_cast<double>(n_levels);
  const bool is_fixed = kind == AxisKind::cyclic || kind == AxisKind::category;
  if (is_fixed && (interval.low != 0 || interval.high != whole)) refuse(fmt::format("must go from 0 to {}", whole));
  if (kind == AxisKind::category) interval.branches = {{0, static_cast<std::uint32_t>(n_levels)}};
  return interval;
}

}  // namespace

geometry::Interval checked_interval(const schema::AxisInfo& info, geometry::Interval interval) {
  return checked_by_levels(info, info.n_cells, std::move(interval));
}

geometry::Interval checked_own_interval(const schema::AxisInfo& info, geometry::Interval interval) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (interval.low == -infinity && interval.high == infinity && interval.missing_share == 0) return interval;
  const bool has_levels = kind_of(info, interval) == AxisKind::category;
  if (has_levels && !(interval.high >= 1 && interval.high <= static_cast<double>(info.n_cells)))
    throw BadFile(fmt::format("a tree must know from 1 to all {} levels of the axis '{}'; got {}.", info.n_cells,
                              values::excerpt(info.name), interval.high));
  return checked_by_levels(info, has_levels ? static_cast<std::size_t>(interval.high) : info.n_cells,
                           std::move(interval));
}

void check_forest(const Forest& forest, std::span<const schema::AxisInfo> infos, std::int64_t max_depth) {
  for (std::size_t t = 0; t < forest.trees.size(); ++t) TreeCheck(forest, t, infos, max_depth).check();
}

void check_counts(const Forest& forest, const Counts& counts) {
  constexpr std::uint64_t most_rows = std::uint64_t{1} << 53U;
  if (counts.trees.size() != forest.trees.size())
    throw InvalidInput(
        fmt::format("the forest has {} trees; got the counts of {}.", forest.trees.size(), counts.trees.size()));
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    check_tree_counts(forest.trees[t], t, counts.trees[t]);
    const std::uint64_t n = counts.trees[t][0];
    if (n != counts.trees[0][0] || n > most_rows)
      refuse_counts(t, 0,
                    fmt::format("all trees must have counted the same number of rows, at most 2^53; got {} and {}",
                                counts.trees[0][0], n));
  }
}

}  // namespace pidforest::model
