// SPDX-License-Identifier: Apache-2.0
// The parts that a forest cuts out, and the rows of a sample that they hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/rows.h"
#include "geometry/part.h"
#include "pidforest/options.h"
#include "reasons/part_list.h"
#include "reasons/row_sets.h"

namespace pidforest::reasons {

/// The bounds of a node, as places in a list. The first `n_new` are new: its parent does not have them.
struct NodeBounds {
  std::size_t first = 0;
  std::uint32_t n = 0;
  std::uint32_t n_new = 0;
};

/// The parts that the trees of a forest cut out, and those beyond all trees. Parts are numbered: first the bounds, then
/// the ranges, which have two bounds each.
class ForestParts {
 public:
  explicit ForestParts(const forest::Forest& forest);

  [[nodiscard]] const std::vector<geometry::Part>& bounds() const { return bounds_.parts(); }
  [[nodiscard]] std::size_t n_parts() const { return bounds().size() + halves_.size(); }
  [[nodiscard]] const geometry::Part& part(std::size_t number) const {
    return number < bounds().size() ? bounds()[number] : ranges_.parts()[number - bounds().size()];
  }
  /// The two bounds of a range.
  [[nodiscard]] const std::pair<std::uint32_t, std::uint32_t>& halves(std::size_t number) const {
    return halves_[number - bounds().size()];
  }
  [[nodiscard]] std::size_t n_trees() const { return of_trees_.size(); }
  /// The bounds of each node.
  [[nodiscard]] const std::vector<NodeBounds>& of_tree(std::size_t tree) const { return of_trees_[tree]; }
  [[nodiscard]] std::span<const std::uint32_t> numbers(const NodeBounds& of_node) const {
    return std::span(listed_).subspan(of_node.first, of_node.n);
  }

 private:
  void survey(const forest::Tree& tree, std::vector<NodeBounds>& bounds, std::vector<bool>& is_circle);
  [[nodiscard]] std::optional<geometry::Part> part_on(std::uint32_t axis, const NodeBounds& of_node) const;
  NodeBounds with_part(const NodeBounds& of_parent, const geometry::Part& own);

  PartList bounds_;
  PartList ranges_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> halves_;
  std::vector<std::vector<NodeBounds>> of_trees_;
  /// The bounds of all nodes.
  std::vector<std::uint32_t> listed_;
};

/// The sample rows that each part holds, and the number of them that reach each node. Only bounds have sets; a range is
/// the intersection of two.
class SampleSets {
 public:
  /// `parts` must outlive this.
  SampleSets(const forest::Forest& forest, const forest::CodeBook& book, const ForestParts& parts,
             const forest::Rows& sample, const Run& run);

  [[nodiscard]] std::span<const BlockSet> rows_of(std::size_t bound) const {
    return {sets_.get() + bound * n_blocks_, n_blocks_};
  }
  [[nodiscard]] std::vector<BlockSet> rows_of_part(std::size_t part) const;
  [[nodiscard]] std::uint64_t count(std::size_t part) const { return counts_[part]; }
  /// The number of rows that reach each node of a tree.
  [[nodiscard]] const std::vector<std::uint64_t>& reached(std::size_t tree) const { return reached_.trees[tree]; }

 private:
  struct Block;

  void count_ranges(const forest::Rows& sample);

  const ForestParts& parts_;
  std::size_t n_blocks_;
  std::unique_ptr<BlockSet[]> sets_;  // NOLINT(modernize-avoid-c-arrays): a vector would be filled twice
  std::vector<std::uint64_t> counts_;
  Counts reached_;
};

}  // namespace pidforest::reasons
