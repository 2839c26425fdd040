// SPDX-License-Identifier: Apache-2.0
#include "reasons/reasons.h"

#include <algorithm>

#include "forest/count.h"

namespace pidforest::reasons {

using geometry::Part;
using geometry::Parts;

Parts Reasons::parts_of(std::uint32_t cube) const {
  Parts own;
  for (; cube != 0; cube = cubes[cube].parent) own.push_back(parts[cubes[cube].part]);
  std::ranges::reverse(own);
  return own;
}

CubeCounter::CubeCounter(const forest::Forest& forest, const forest::CodeBook& book, const Reasons& reasons)
    : forest_(forest),
      book_(book),
      reasons_(reasons),
      parts_(forest, book, reasons.parts),
      no_neighbours_(reasons.parts, forest.root.size()),
      reached_(no_neighbours_.reached_bounds(book)) {}

CubeCounter::Found CubeCounter::none() const {
  return {std::vector<std::uint64_t>(reasons_.cubes.size()), no_neighbours_};
}

void CubeCounter::add(const forest::Rows& rows, Found& found, const Run& run) const {
  const forest::RowBlock block(book_, forest_, forest::RowBlock::Codes::of_all_axes);
  for (const Block& own : forest::count_blocks(block, Block(*this), rows, run, "counting reasons")) own.add_to(found);
}

CubeCounter::Block::Block(const CubeCounter& counter)
    : counter_(&counter),
      inside_(counter.parts_.n_parts()),
      rows_(counter.reasons_.cubes.size()),
      found_(counter.none()) {}

void CubeCounter::Block::add(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin) {
  counter_->parts_.find(block, rows, begin, memory_, inside_.data(), 1);
  rows_[0] = block.rows();
  found_.counts[0] += block.n_rows();
  count_cubes(counter_->reasons_.cubes, inside_, rows_, found_.counts);
  found_.neighbours.add_block(block, rows, begin, counter_->reached_);
}

void CubeCounter::Block::add_to(Found& found) const {
  for (std::size_t cube = 0; cube < found_.counts.size(); ++cube) found.counts[cube] += found_.counts[cube];
  found.neighbours.merge(found_.neighbours);
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
