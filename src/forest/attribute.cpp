// SPDX-License-Identifier: Apache-2.0
#include "forest/attribute.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "forest/route.h"
#include "forest/stretch.h"
#include "forest/way_bits.h"
#include "parallel/parallel.h"

namespace pidforest::forest {

namespace {

/// One thread's room to work in.
class BlockAttributor {
 public:
  BlockAttributor(const Forest& forest, const CodeBook& book, const std::vector<WayBits>& ways)
      : forest_(forest), book_(book), ways_(ways), block_(book, forest.root) {}

  /// `axis_bits` are those of all rows.
  void attribute(const Rows& rows, std::size_t begin, std::span<double> axis_bits) {
    block_.load(rows, begin);
    const std::size_t n_axes = forest_.root.size();
    const std::size_t stride = WayBits::stride_of(n_axes);
    sums_.assign(block_.n_rows() * stride, 0.0);
    for (std::size_t tree = 0; tree < forest_.trees.size(); ++tree) {
      const CodedTree coded(forest_, book_, tree);
      route(coded, block_, reached_);
      find_ends(coded, reached_, block_.has_missing(), end_of_);
      ways_[tree].add(std::span(end_of_).first(block_.n_rows()), sums_);
    }
    add_stretch(rows, begin);
    for (std::size_t row = 0; row < block_.n_rows(); ++row)
      for (std::size_t axis = 0; axis < n_axes; ++axis)
        axis_bits[(begin + row) * n_axes + axis] =
            sums_[row * stride + axis] / static_cast<double>(forest_.trees.size());
  }

 private:
  void add_stretch(const Rows& rows, std::size_t begin) {
    std::vector<OutsidePlace> outside;
    for (std::size_t i = 0; i < block_.n_rows(); ++i)
      if ((block_.outside()[i / word_rows] >> (i % word_rows) & 1U) != 0)
        find_outside(forest_, rows, begin + i, outside);
    for (const OutsidePlace& place : outside)
      for (const Tree& tree : forest_.trees)
        sums_[(place.row - begin) * WayBits::stride_of(forest_.root.size()) + place.axis] +=
            stretch_bits(forest_, tree, rows, place);
  }

  const Forest& forest_;
  const CodeBook& book_;
  const std::vector<WayBits>& ways_;
  RowBlock block_;
  std::vector<BlockSet> reached_;
  std::array<std::uint32_t, block_rows> end_of_{};
  std::vector<double> sums_;
};

}  // namespace

void attribute_rows(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Rows& rows,
                    std::span<double> axis_bits, const Run& run) {
  std::vector<WayBits> ways;
  ways.reserve(forest.trees.size());
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree)
    ways.emplace_back(forest.trees[tree], tables.bits[tree], forest.root.size());
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<BlockAttributor> workers(threads_for(run, n_blocks), BlockAttributor(forest, book, ways));
  parallel_for(n_blocks, run, "explaining",
               [&](std::size_t i, unsigned worker) { workers[worker].attribute(rows, i * block_rows, axis_bits); });
}

}  // namespace pidforest::forest
