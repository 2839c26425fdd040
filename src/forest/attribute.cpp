// SPDX-License-Identifier: Apache-2.0
#include "forest/attribute.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "forest/route.h"
#include "forest/stretch.h"
#include "system/parallel.h"

namespace pidforest::forest {

/// Working memory of one thread.
class Attribution::Block {
 public:
  explicit Block(const Attribution& owner)
      : forest_(owner.forest_), book_(owner.book_), ways_(owner.ways_), block_(book_, forest_), outside_(forest_) {}

  /// `axis_bits` has the values of all rows.
  void attribute(const Rows& rows, std::size_t begin, std::span<double> axis_bits) {
    block_.load(rows, begin);
    outside_.set(block_, begin);
    const std::size_t n_axes = forest_.root.size();
    const std::size_t n_views = std::min(forest_.n_views(), forest_.trees.size());
    for (std::size_t view = 0; view < n_views; ++view) {
      trees_.clear();
      for (std::size_t tree = view; tree < forest_.trees.size(); tree += n_views) trees_.push_back(tree);
      add_trees(rows, begin);
      for (std::size_t row = 0; row < block_.n_rows(); ++row)
        keep_larger(row, axis_bits.subspan((begin + row) * n_axes, n_axes), view == 0);
    }
    if (!forest_.isolated.empty())
      for (const std::size_t row : outside_.candidates())
        add_isolated(rows, row, axis_bits.subspan(row * n_axes, n_axes));
  }

 private:
  /// Shares the bits that isolated values add to the mean among their axes, in proportion to their own bits.
  void add_isolated(const Rows& rows, std::size_t row, std::span<double> axis_bits) const {
    const double score = std::accumulate(axis_bits.begin(), axis_bits.end(), 0.0);
    const double more = score_with_isolated(isolated_bits(forest_.isolated, rows, row), score, 0) - score;
    if (more <= 0) return;
    double sum = 0;
    for (std::size_t axis = 0; axis < axis_bits.size(); ++axis)
      sum += isolated_bits(forest_.isolated, axis, rows.columns[axis][row]);
    for (std::size_t axis = 0; axis < axis_bits.size(); ++axis)
      axis_bits[axis] += more * isolated_bits(forest_.isolated, axis, rows.columns[axis][row]) / sum;
  }

  /// Sets the sums of the bits by axis over the trees of a view.
  void add_trees(const Rows& rows, std::size_t begin) {
    sums_.assign(block_.n_rows() * WayBits::stride_of(forest_.root.size()), 0.0);
    for (std::size_t first = 0; first < trees_.size(); first += WayBits::most_trees) {
      const auto some = std::span(trees_).subspan(first).first(std::min(WayBits::most_trees, trees_.size() - first));
      std::array<const WayBits*, WayBits::most_trees> ways{};
      for (std::size_t i = 0; i < some.size(); ++i) {
        const CodedTree coded(forest_, book_, some[i]);
        route(coded, block_, reached_);
        find_ends(coded, reached_, block_.has_missing(), ends_[i]);
        ways[i] = &ways_[some[i]];
      }
      WayBits::add(std::span(ways).first(some.size()), ends_, block_.n_rows(), sums_);
    }
    add_stretch(rows, begin);
  }

  /// Sets the bits of a row to their mean over the trees of the view, if that gives the row more than the views before.
  void keep_larger(std::size_t row, std::span<double> axis_bits, bool is_first) const {
    const auto sums = std::span(sums_).subspan(row * WayBits::stride_of(axis_bits.size()), axis_bits.size());
    const auto n_trees = static_cast<double>(trees_.size());
    if (!is_first && std::accumulate(sums.begin(), sums.end(), 0.0) / n_trees <=
                         std::accumulate(axis_bits.begin(), axis_bits.end(), 0.0))
      return;
    std::ranges::transform(sums, axis_bits.begin(), [&](double sum) { return sum / n_trees; });
  }

  void add_stretch(const Rows& rows, std::size_t begin) {
    const std::size_t stride = WayBits::stride_of(forest_.root.size());
    for (const std::size_t tree : trees_)
      for (const OutsidePlace& place : outside_.places(rows, tree))
        sums_[(place.row - begin) * stride + place.axis] +=
            stretch_bits(forest_.root_of(tree), forest_.trees[tree], rows, place);
  }

  const Forest& forest_;
  const CodeBook& book_;
  const std::vector<WayBits>& ways_;
  RowBlock block_;
  OutsideRows outside_;
  std::vector<BlockSet> reached_;
  std::array<WayBits::Ends, WayBits::most_trees> ends_{};
  /// The trees of one view, and the sums of their bits by row and axis.
  std::vector<std::size_t> trees_;
  std::vector<double> sums_;
};

Attribution::Attribution(const Forest& forest, const CodeBook& book, const ScoreTables& tables)
    : forest_(forest), book_(book) {
  ways_.reserve(forest.trees.size());
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree)
    ways_.emplace_back(forest.trees[tree], tables.bits[tree], forest.root.size());
}

void Attribution::attribute(const Rows& rows, std::span<double> axis_bits, const Run& run) const {
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<Block> blocks(system::threads_for(run, n_blocks), Block(*this));
  system::parallel_for(n_blocks, run, "explaining", [&](std::size_t i, unsigned worker) {
    blocks[worker].attribute(rows, i * block_rows, axis_bits);
  });
}

}  // namespace pidforest::forest
