// SPDX-License-Identifier: Apache-2.0
// Rows beyond the root cube of a tree: their leaf's cube is stretched to reach them, which makes it emptier.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/forest.h"
#include "forest/row_block.h"
#include "forest/rows.h"
#include "forest/tree.h"
#include "geometry/interval.h"

namespace pidforest::forest {

/// A row outside the root cube, and an axis on which it is outside.
struct OutsidePlace {
  std::size_t row;
  std::size_t axis;
};

/// Adds every axis on which the row is outside the root cube.
void find_outside(std::span<const geometry::Interval> root, const Rows& rows, std::size_t row,
                  std::vector<OutsidePlace>& places);

/// Returns the bits by which the cube of the row's leaf grows when it is stretched along the axis of `place` to reach
/// the row.
double stretch_bits(std::span<const geometry::Interval> root, const Tree& tree, const Rows& rows,
                    const OutsidePlace& place);

/// Where some rows lie beyond the root cubes of a forest's trees.
class OutsideRows {
 public:
  /// Views the forest.
  explicit OutsideRows(const Forest& forest) : forest_(forest) {}

  /// The rows of a block that begins at row `begin`.
  void set(const RowBlock& block, std::size_t begin);
  /// All of some rows.
  void set_all(const Rows& rows);

  /// The places of the rows beyond the root cube of a tree, valid until the next call. Trees are asked in their order.
  std::span<const OutsidePlace> places(const Rows& rows, std::size_t tree);

 private:
  const Forest& forest_;
  /// Rows beyond the root cube of some tree are among them.
  std::vector<std::size_t> candidates_;
  std::vector<OutsidePlace> places_;
};

}  // namespace pidforest::forest
