// SPDX-License-Identifier: Apache-2.0
// Which axes a row's bits come from.
#pragma once

#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/score.h"
#include "forest/way_bits.h"

namespace pidforest::forest {

/// Gives a row's bits to the axes: every step of its way down a tree adds log2(p/q) to the axis that it cuts, where p
/// is the child's share of the node's volume and q its share of the node's rows; a stretch beyond the root cube belongs
/// to the axis that it is along. The mean is taken over the trees, whatever the aggregate: summed over the axes it is
/// the mean score.
class Attribution {
 public:
  /// Views them all.
  Attribution(const Forest& forest, const CodeBook& book, const ScoreTables& tables);

  /// Writes the bits of each row by axis, row after row: axis_bits[row * n_axes + axis].
  void attribute(const Rows& rows, std::span<double> axis_bits, const Run& run) const;

 private:
  class Block;

  const Forest& forest_;
  const CodeBook& book_;
  /// By tree.
  std::vector<WayBits> ways_;
};

}  // namespace pidforest::forest
