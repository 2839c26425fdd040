// SPDX-License-Identifier: Apache-2.0
// Attributes a row's bits to the axes.
#pragma once

#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/score.h"
#include "forest/way_bits.h"

namespace pidforest::forest {

/// Splits a row's bits among the axes. Every step of the row's path down a tree adds log2(p/q) to the axis that is cut,
/// where p is the child's share of the node's volume and q its share of the node's rows. The bits for stretching a cube
/// beyond the root cube go to the axis along which it is stretched. The bits by which isolated values raise the score
/// go to their axes. The result is the mean over the trees, regardless of the aggregate: its sum over the axes is the
/// score by `mean`. With views, it is the mean over the trees of the view that gives the row most bits.
class Attribution {
 public:
  /// All arguments must outlive this object.
  Attribution(const Forest& forest, const CodeBook& book, const ScoreTables& tables);

  /// Writes the bits of each row by axis: axis_bits[row * n_axes + axis].
  void attribute(const Rows& rows, std::span<double> axis_bits, const Run& run) const;

 private:
  class Block;

  const Forest& forest_;
  const CodeBook& book_;
  /// One per tree.
  std::vector<WayBits> ways_;
};

}  // namespace pidforest::forest
