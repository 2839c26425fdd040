// SPDX-License-Identifier: Apache-2.0
// All cubes that a forest can name as the reason for a row, and the number of rows in each. There are finitely many, so
// they can be counted once, stored, and added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "geometry/part.h"
#include "pidforest/options.h"
#include "reasons/axis_marks.h"
#include "reasons/mark_sets.h"
#include "reasons/neighbours.h"
#include "reasons/part_sets.h"
#include "reasons/row_sets.h"

namespace pidforest::reasons {

/// Further trees are not used for reasons: they hardly find other cubes.
inline constexpr std::size_t most_reason_trees = 256;

/// Cubes are numbered. Cube 0 is the root cube, which explains nothing.
struct Reasons {
  /// The parts of which all cubes are made, in the order of `comes_before`.
  std::vector<geometry::Part> parts;
  /// A cube is its parent with one more part, whose axis comes after those of the parent. The parent and all other
  /// cubes with one part less are in the list, before the cube. The first step stands for cube 0 and is empty.
  std::vector<CubeStep> cubes = {{}};
  /// The number of rows in each cube. Cube 0 has all rows.
  std::vector<std::uint64_t> counts = {0};
  /// The cube of each node of the first `most_reason_trees` trees: that of the conditions of a leaf that matter. Cube 0
  /// for other nodes.
  std::vector<std::vector<std::uint32_t>> leaves = {};
  /// For each axis, the rare parts that the values lie in, as cubes.
  std::vector<Lines> lines = {};
  /// The values of the counted rows next to the bounds of the parts.
  Neighbours neighbours = {};

  /// The parts of a cube, in the order of the axes.
  [[nodiscard]] geometry::Parts parts_of(std::uint32_t cube) const;

  bool operator==(const Reasons&) const = default;
};

/// Calls a function with all rows of a table, some at a time and in their order.
using RowSource = std::function<void(const std::function<void(const forest::Rows&)>&)>;

/// Searches for the cubes of a forest: first its strong marks, then, when it is known which of them meet in a row, all
/// cubes.
class CubeSearch {
 public:
  /// `sample` is a sample of the rows that will be counted, and decides which cubes are promising. The arguments must
  /// outlive this.
  CubeSearch(const forest::Forest& forest, const forest::CodeBook& book, const forest::Rows& sample, const Run& run);
  ~CubeSearch();
  CubeSearch(const CubeSearch&) = delete;
  CubeSearch& operator=(const CubeSearch&) = delete;

  [[nodiscard]] StrongMarks strong_marks() const;
  /// The cubes, with counts of 0. `sets` has the strong marks that meet in the `n_rows` rows. Call it once.
  [[nodiscard]] Reasons collect(std::size_t n_rows, const MarkSets& sets);

 private:
  class Collector;

  std::unique_ptr<Collector> collector_;
};

/// Collects the cubes of a forest; all counts are 0. `sample` is a sample of the `n_rows` rows of `all_rows`, which
/// will be counted, and decides which cubes are promising.
Reasons collect_reasons(const forest::Forest& forest, const forest::CodeBook& book, const forest::Rows& sample,
                        std::size_t n_rows, const RowSource& all_rows, const Run& run);

/// Counts the rows of cubes, and finds the values next to the bounds of their parts.
class CubeCounter {
 public:
  /// The arguments must outlive this.
  CubeCounter(const forest::Forest& forest, const forest::CodeBook& book, const Reasons& reasons);

  /// The counts of some rows and their neighbours.
  struct Found {
    /// The number of rows in each cube. Counts of two tables add up to the counts of both.
    std::vector<std::uint64_t> counts = {};
    Neighbours neighbours = {};
  };
  [[nodiscard]] Found none() const;
  void add(const forest::Rows& rows, Found& found, const Run& run) const;

  /// The counts and working memory of one thread.
  class Block {
   public:
    /// The counter must outlive this.
    explicit Block(const CubeCounter& counter);

    /// The block keeps all codes and holds `rows` from `begin` on.
    void add(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin);
    void add_to(Found& found) const;

   private:
    const CubeCounter* counter_;
    std::vector<BlockSet> memory_ = {};
    std::vector<BlockSet> inside_;
    std::vector<BlockSet> rows_;
    Found found_;
  };

 private:
  const forest::Forest& forest_;
  const forest::CodeBook& book_;
  const Reasons& reasons_;
  PartSets parts_;
  Neighbours no_neighbours_;
  Neighbours::ReachedBounds reached_;
};

/// The number of rows in one cube.
std::uint64_t count_inside(const geometry::Parts& parts, const forest::Rows& rows);

/// The numbers of the evenly spaced rows of a table that `collect_reasons` is given, in increasing order.
std::vector<std::size_t> reason_sample(std::size_t n_rows);

}  // namespace pidforest::reasons
