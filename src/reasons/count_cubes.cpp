// SPDX-License-Identifier: Apache-2.0
#include "reasons/count_cubes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>

#include "forest/route.h"
#include "forest/row_block.h"
#include "system/parallel.h"

namespace pidforest::reasons {

using geometry::Part;
using geometry::Parts;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void put_in(forest::BlockSet& set, std::size_t row) {
  set[row / forest::word_rows] |= forest::RowSet{1} << (row % forest::word_rows);
}

}  // namespace

/// The working memory of one thread.
class CubeCounter::Block {
 public:
  explicit Block(const CubeCounter& counter)
      : counter_(counter),
        reach_(counter.ends_.size()),
        missing_(counter.ends_.size()),
        inside_(counter.parts_.size()),
        cubes_(counter.cubes_.size()),
        counts_(counter.cubes_.size()) {}

  void count(const forest::Rows& rows, std::size_t begin) {
    const std::size_t n = std::min(rows.n - begin, forest::block_rows);
    for (std::size_t axis = 0; axis < reach_.size(); ++axis)
      if (!counter_.ends_[axis].empty()) find_reach(axis, rows.columns[axis], begin, n);
    for (std::size_t i = 0; i < inside_.size(); ++i) find_inside(counter_.parts_[i], inside_[i]);
    forest::BlockSet all{};
    for (std::size_t row = 0; row < n; ++row) put_in(all, row);
    for (std::size_t cube = 0; cube < cubes_.size(); ++cube) {
      cubes_[cube] = all;
      for (const std::uint32_t part : counter_.cubes_[cube])
        for (std::size_t word = 0; word < forest::block_words; ++word) cubes_[cube][word] &= inside_[part][word];
    }
    forest::add_sizes(cubes_, counts_);
  }

  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  /// Sets reach_[axis][i] to the rows whose value is at least end i.
  void find_reach(std::size_t axis, const forest::StridedColumn& column, std::size_t begin, std::size_t n) {
    const std::vector<double>& ends = counter_.ends_[axis];
    std::vector<forest::BlockSet>& reach = reach_[axis];
    reach.assign(ends.size(), {});
    missing_[axis] = {};
    for (std::size_t row = 0; row < n; ++row) {
      const double x = column[begin + row];
      if (std::isnan(x))
        put_in(missing_[axis], row);
      else
        put_in(reach[static_cast<std::size_t>(std::ranges::upper_bound(ends, x) - ends.begin()) - 1], row);
    }
    for (std::size_t i = ends.size() - 1; i > 0; --i)
      for (std::size_t word = 0; word < forest::block_words; ++word) reach[i - 1][word] |= reach[i][word];
  }

  void find_inside(const PlacedPart& part, forest::BlockSet& inside) const {
    const std::vector<forest::BlockSet>& reach = reach_[part.axis];
    inside = part.is_missing ? missing_[part.axis] : forest::BlockSet{};
    for (const auto& [from, to] : part.stretches)
      for (std::size_t word = 0; word < forest::block_words; ++word)
        inside[word] |= reach[from][word] & ~(to < reach.size() ? reach[to][word] : 0);
  }

  const CubeCounter& counter_;
  std::vector<std::vector<forest::BlockSet>> reach_;
  std::vector<forest::BlockSet> missing_;
  std::vector<forest::BlockSet> inside_;
  std::vector<forest::BlockSet> cubes_;
  std::vector<std::uint64_t> counts_;
};

CubeCounter::CubeCounter(std::span<const Parts> cubes, std::size_t n_axes) : ends_(n_axes) {
  std::map<Part, std::uint32_t, decltype(&geometry::comes_before)> place_of_part(&geometry::comes_before);
  for (const Parts& cube : cubes)
    for (const Part& part : cube)
      if (place_of_part.try_emplace(part, 0).second) add_ends(part, ends_[part.axis]);
  for (const auto& [part, place] : place_of_part) ends_[part.axis].push_back(-infinity);
  for (std::vector<double>& ends : ends_) {
    std::ranges::sort(ends);
    const auto repeated = std::ranges::unique(ends);
    ends.erase(repeated.begin(), repeated.end());
  }
  for (auto& [part, place] : place_of_part) {
    place = static_cast<std::uint32_t>(parts_.size());
    parts_.push_back(place_part(part));
  }
  for (const Parts& cube : cubes) {
    cubes_.emplace_back();
    for (const Part& part : cube) cubes_.back().push_back(place_of_part.at(part));
  }
}

std::uint32_t CubeCounter::place_of(std::size_t axis, double end) const {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(ends_[axis], end) - ends_[axis].begin());
}

CubeCounter::PlacedPart CubeCounter::place_part(const Part& part) const {
  PlacedPart placed{.axis = part.axis, .is_missing = part.is_missing};
  for (const auto& [low, high] : part.stretches())
    placed.stretches.emplace_back(place_of(part.axis, low), place_of(part.axis, high));
  return placed;
}

void CubeCounter::add(const forest::Rows& rows, std::span<std::uint64_t> counts, const Run& run) const {
  const std::size_t n_blocks = (rows.n + forest::block_rows - 1) / forest::block_rows;
  std::vector<Block> blocks(system::threads_for(run, n_blocks), Block(*this));
  system::parallel_for(n_blocks, run, "counting witnesses",
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

}  // namespace pidforest::reasons
