// SPDX-License-Identifier: Apache-2.0
#include "forest/attribute.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "forest/route.h"
#include "forest/stretch.h"
#include "parallel/parallel.h"

namespace pidforest::forest {

namespace {

/// The bits that the way to a node gives to one axis.
struct AxisBits {
  std::uint32_t axis;
  double bits;
};

/// For each node of a tree the bits of the axes that are cut on the way to it.
class WayBits {
 public:
  WayBits(const Tree& tree, const std::vector<double>& node_bits) : first_(tree.nodes.size() + 1, 0) {
    std::vector<std::vector<AxisBits>> ways(tree.nodes.size());
    for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
      const Node& node = tree.nodes[v];
      for (std::uint32_t child = node.first_child; !node.is_leaf() && child < node.first_child + node.n_children();
           ++child)
        ways[child] = with_step(ways[v], {node.axis, node_bits[child] - node_bits[v]});
      first_[v + 1] = first_[v] + ways[v].size();
      steps_.insert(steps_.end(), ways[v].begin(), ways[v].end());
    }
  }

  [[nodiscard]] std::span<const AxisBits> to(std::size_t node) const {
    return std::span(steps_).subspan(first_[node], first_[node + 1] - first_[node]);
  }

 private:
  static std::vector<AxisBits> with_step(std::vector<AxisBits> way, const AxisBits& step) {
    const auto same = std::ranges::find(way, step.axis, &AxisBits::axis);
    if (same == way.end())
      way.push_back(step);
    else
      same->bits += step.bits;
    return way;
  }

  std::vector<AxisBits> steps_;
  std::vector<std::size_t> first_;
};

/// One thread's room to work in.
class BlockAttributor {
 public:
  BlockAttributor(const Forest& forest, const CodeBook& book, const std::vector<WayBits>& ways)
      : forest_(forest), book_(book), ways_(ways), block_(book, forest.root) {}

  /// `axis_bits` are those of all rows.
  void attribute(const Rows& rows, std::size_t begin, std::span<double> axis_bits) {
    block_.load(rows, begin);
    const std::size_t n_axes = forest_.root.size();
    const auto own = axis_bits.subspan(begin * n_axes, block_.n_rows() * n_axes);
    std::ranges::fill(own, 0.0);
    for (std::size_t tree = 0; tree < forest_.trees.size(); ++tree) {
      const CodedTree coded(forest_, book_, tree);
      route(coded, block_, reached_);
      for (const std::uint32_t leaf : coded.nodes.leaves) add(reached_[leaf], ways_[tree].to(leaf), own);
      if (!block_.has_missing()) continue;
      for (const auto& inner : coded.nodes.inner)
        add(rows_that_stay(coded.tree, inner.node, reached_), ways_[tree].to(inner.node), own);
    }
    add_stretch(rows, begin, own);
    for (double& bits : own) bits /= static_cast<double>(forest_.trees.size());
  }

 private:
  void add(const BlockSet& set, std::span<const AxisBits> way, std::span<double> own) const {
    const std::size_t n_axes = forest_.root.size();
    for (std::size_t word = 0; word < block_words; ++word)
      for (RowSet left = set[word]; left != 0; left &= left - 1) {
        double* row = own.data() + (word * word_rows + static_cast<std::size_t>(std::countr_zero(left))) * n_axes;
        for (const AxisBits& step : way) row[step.axis] += step.bits;
      }
  }

  void add_stretch(const Rows& rows, std::size_t begin, std::span<double> own) {
    std::vector<OutsidePlace> outside;
    for (std::size_t i = 0; i < block_.n_rows(); ++i)
      if ((block_.outside()[i / word_rows] >> (i % word_rows) & 1U) != 0)
        find_outside(forest_, rows, begin + i, outside);
    for (const OutsidePlace& place : outside)
      for (const Tree& tree : forest_.trees)
        own[(place.row - begin) * forest_.root.size() + place.axis] += stretch_bits(forest_, tree, rows, place);
  }

  const Forest& forest_;
  const CodeBook& book_;
  const std::vector<WayBits>& ways_;
  RowBlock block_;
  std::vector<BlockSet> reached_;
};

}  // namespace

void attribute_rows(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Rows& rows,
                    std::span<double> axis_bits, const Run& run) {
  std::vector<WayBits> ways;
  ways.reserve(forest.trees.size());
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree)
    ways.emplace_back(forest.trees[tree], tables.bits[tree]);
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<BlockAttributor> workers(threads_for(run, n_blocks), BlockAttributor(forest, book, ways));
  parallel_for(n_blocks, run, "explaining",
               [&](std::size_t i, unsigned worker) { workers[worker].attribute(rows, i * block_rows, axis_bits); });
}

}  // namespace pidforest::forest
