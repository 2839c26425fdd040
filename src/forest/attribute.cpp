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
    const std::size_t n_axes = forest_.root.size();
    const std::size_t stride = WayBits::stride_of(n_axes);
    sums_.assign(block_.n_rows() * stride, 0.0);
    for (std::size_t first = 0; first < forest_.trees.size(); first += WayBits::most_trees) {
      const auto ways = std::span(ways_).subspan(first).first(std::min(WayBits::most_trees, ways_.size() - first));
      for (std::size_t i = 0; i < ways.size(); ++i) {
        const CodedTree coded(forest_, book_, first + i);
        route(coded, block_, reached_);
        find_ends(coded, reached_, block_.has_missing(), ends_[i]);
      }
      WayBits::add(ways, ends_, block_.n_rows(), sums_);
    }
    add_stretch(rows, begin);
    for (std::size_t row = 0; row < block_.n_rows(); ++row)
      for (std::size_t axis = 0; axis < n_axes; ++axis)
        axis_bits[(begin + row) * n_axes + axis] =
            sums_[row * stride + axis] / static_cast<double>(forest_.trees.size());
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

  void add_stretch(const Rows& rows, std::size_t begin) {
    const std::size_t stride = WayBits::stride_of(forest_.root.size());
    outside_.set(block_, begin);
    for (std::size_t tree = 0; tree < forest_.trees.size(); ++tree)
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
