// SPDX-License-Identifier: Apache-2.0
#include "reasons/reasons.h"

#include <algorithm>

#include "reasons/part_sets.h"
#include "system/parallel.h"

namespace pidforest::reasons {

using geometry::Part;
using geometry::Parts;

Parts Reasons::parts_of(std::uint32_t cube) const {
  Parts own;
  for (; cube != 0; cube = cubes[cube].parent) own.push_back(parts[cubes[cube].part]);
  std::ranges::reverse(own);
  return own;
}

/// The counts and working memory of one thread.
class CubeCounter::Block {
 public:
  Block(const CubeCounter& counter, const PartSets& parts)
      : cubes_(counter.reasons_.cubes),
        parts_(parts),
        block_(counter.book_, counter.forest_),
        inside_(parts.n_parts()),
        rows_(cubes_.size()),
        counts_(cubes_.size()) {}

  void count(const forest::Rows& rows, std::size_t begin) {
    block_.load(rows, begin);
    parts_.find(block_, rows, begin, memory_, inside_.data(), 1);
    rows_[0] = block_.rows();
    counts_[0] += block_.n_rows();
    count_cubes(cubes_, inside_, rows_, counts_);
  }

  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  std::span<const CubeStep> cubes_;
  const PartSets& parts_;
  forest::RowBlock block_;
  std::vector<BlockSet> memory_;
  std::vector<BlockSet> inside_;
  std::vector<BlockSet> rows_;
  std::vector<std::uint64_t> counts_;
};

CubeCounter::CubeCounter(const forest::Forest& forest, const forest::CodeBook& book, const Reasons& reasons)
    : forest_(forest), book_(book), reasons_(reasons) {}

void CubeCounter::add(const forest::Rows& rows, std::span<std::uint64_t> counts, const Run& run) const {
  const std::size_t n_blocks = (rows.n + forest::block_rows - 1) / forest::block_rows;
  const PartSets parts(forest_, book_, reasons_.parts);
  std::vector<Block> blocks(system::threads_for(run, n_blocks), Block(*this, parts));
  system::parallel_for(n_blocks, run, "counting reasons",
                       [&](std::size_t i, unsigned worker) { blocks[worker].count(rows, i * forest::block_rows); });
  for (const Block& block : blocks)
    for (std::size_t cube = 0; cube < counts.size(); ++cube) counts[cube] += block.counts()[cube];
}

std::uint64_t count_inside(const Parts& parts, const forest::Rows& rows) {
  std::uint64_t n = 0;
  for (std::size_t row = 0; row < rows.n; ++row) {
    const auto holds = [&](const Part& part) { return part.holds(rows.columns[part.axis][row]); };
    n += std::ranges::all_of(parts, holds) ? 1 : 0;
  }
  return n;
}

std::vector<std::size_t> reason_sample(std::size_t n_rows) {
  constexpr std::size_t most = 4096;
  const std::size_t n = std::min(n_rows, most);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < n; ++i) rows.push_back(i * n_rows / n);
  return rows;
}

}  // namespace pidforest::reasons
