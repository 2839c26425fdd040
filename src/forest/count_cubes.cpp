// SPDX-License-Identifier: Apache-2.0
#include "forest/count_cubes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>

#include "forest/row_block.h"
#include "parallel/parallel.h"

namespace pidforest::forest {

using geometry::Part;
using geometry::Parts;

/// One thread's room to work in.
class CubeCounter::Block {
 public:
  explicit Block(const CubeCounter& counter)
      : counter_(counter), inside_(counter.parts_.size()), counts_(counter.cubes_.size()) {}

  void count(const Rows& rows, std::size_t begin) {
    const std::size_t n = std::min(rows.n - begin, block_rows);
    for (std::size_t i = 0; i < inside_.size(); ++i) find_inside(counter_.parts_[i], rows, begin, n, inside_[i]);
    BlockSet all{};
    for (std::size_t row = 0; row < n; ++row) all[row / word_rows] |= RowSet{1} << (row % word_rows);
    for (std::size_t cube = 0; cube < counts_.size(); ++cube) {
      BlockSet rows_inside = all;
      for (const std::uint32_t part : counter_.cubes_[cube])
        for (std::size_t word = 0; word < block_words; ++word) rows_inside[word] &= inside_[part][word];
      for (const RowSet word : rows_inside) counts_[cube] += static_cast<std::uint64_t>(std::popcount(word));
    }
  }

  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  static void find_inside(const Part& part, const Rows& rows, std::size_t begin, std::size_t n, BlockSet& inside) {
    const StridedColumn column = rows.columns[part.axis];
    inside = {};
    for (std::size_t row = 0; row < n; ++row)
      inside[row / word_rows] |= RowSet{part.holds(column[begin + row])} << (row % word_rows);
  }

  const CubeCounter& counter_;
  std::vector<BlockSet> inside_;
  std::vector<std::uint64_t> counts_;
};

CubeCounter::CubeCounter(std::span<const Parts> cubes) {
  struct Before {
    bool operator()(const Part& a, const Part& b) const { return geometry::comes_before(a, b); }
  };
  std::map<Part, std::uint32_t, Before> place_of;
  for (const Parts& cube : cubes) {
    cubes_.emplace_back();
    for (const Part& part : cube) {
      const auto [place, is_new] = place_of.try_emplace(part, static_cast<std::uint32_t>(parts_.size()));
      if (is_new) parts_.push_back(part);
      cubes_.back().push_back(place->second);
    }
  }
}

void CubeCounter::add(const Rows& rows, std::span<std::uint64_t> counts, const Run& run) const {
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<Block> blocks(threads_for(run, n_blocks), Block(*this));
  parallel_for(n_blocks, run, "counting witnesses",
               [&](std::size_t i, unsigned worker) { blocks[worker].count(rows, i * block_rows); });
  for (const Block& block : blocks)
    for (std::size_t cube = 0; cube < counts.size(); ++cube) counts[cube] += block.counts()[cube];
}

}  // namespace pidforest::forest
