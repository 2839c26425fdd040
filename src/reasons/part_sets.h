// SPDX-License-Identifier: Apache-2.0
// Finds the rows of a block that lie in each of many parts of axes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/row_block.h"
#include "geometry/part.h"
#include "reasons/row_sets.h"

namespace pidforest::reasons {

/// The ends of parts are cuts of a forest as a rule. Each cut is compared once with the codes of a block, and the rows
/// of a part are differences of the results.
class PartSets {
 public:
  /// The arguments must outlive this.
  PartSets(const forest::Forest& forest, const forest::CodeBook& book, std::span<const geometry::Part> parts);

  [[nodiscard]] std::size_t n_parts() const { return parts_.size(); }

  /// Sets inside[i * step] to the rows of the block in part i; `block` holds `rows` from `begin` on. `sets` is working
  /// memory.
  void find(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin, std::vector<BlockSet>& sets,
            BlockSet* inside, std::size_t step) const;

 private:
  /// The places of an axis' sets: the rows with a value, then the rows without one, then the rows that reach each cut.
  struct CodedAxis {
    std::uint32_t axis;
    std::uint32_t first;
    /// Codes of cuts, in increasing order.
    std::vector<std::uint32_t> cuts = {};
    /// The codes as a CodeBook has them; empty for categories.
    std::vector<std::uint32_t> zero_bits = {};
  };
  /// A part with an end that is no cut. Its values are compared one by one.
  struct LoosePart {
    std::uint32_t part;
    /// Whether it lies outside of all root cubes.
    bool is_outside;
  };

  /// For each code of an axis, whether it is the end of a part, and later its place among those that are.
  using NeededCodes = std::vector<std::uint32_t>;

  bool add_codes(const geometry::Part& part, NeededCodes& needed);
  void place_axis(std::uint32_t axis, NeededCodes& needed);
  void place_part(const CodedAxis& axis, std::span<const std::uint32_t> place_of_code, std::uint32_t number);
  void add_loose(std::uint32_t number);
  static void find_levels(const CodedAxis& axis, const forest::RowBlock& block, std::span<BlockSet> reach);
  void find_loose(const LoosePart& loose, const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin,
                  BlockSet& inside) const;

  const forest::Forest& forest_;
  const forest::CodeBook& book_;
  std::span<const geometry::Part> parts_;
  std::vector<CodedAxis> axes_;
  std::uint32_t n_sets_ = 1;  // the first set is empty
  std::vector<Difference> differences_;
  std::vector<std::uint32_t> first_difference_;
  std::vector<LoosePart> loose_;
};

}  // namespace pidforest::reasons
