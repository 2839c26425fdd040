// SPDX-License-Identifier: Apache-2.0
// Rows beyond the root cube of a tree: their leaf's cube is stretched to reach them, which makes it emptier.
#pragma once

#include <algorithm>
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

/// Adds every axis on which the row is outside the root cube, except where its value joins isolated rows. `isolated`
/// has one element per axis, or none.
void find_outside(std::span<const geometry::Interval> root, std::span<const geometry::IsolatedParts> isolated,
                  const Rows& rows, std::size_t row, std::vector<OutsidePlace>& places);

/// The bits of a row's value on an axis if it is isolated, else 0.
inline double isolated_bits(std::span<const geometry::IsolatedParts> isolated, std::size_t axis, double x) {
  return isolated.empty() || isolated[axis].empty() ? 0 : isolated[axis].bits_of(x);
}
/// The most bits of a row's isolated values; 0 if it has none.
double isolated_bits(std::span<const geometry::IsolatedParts> isolated, const Rows& rows, std::size_t row);

/// The score of a row with an isolated value: the bits of the isolated part, plus the head start of the aggregate, or
/// the score by the trees if that is more. The score by the trees breaks ties and adds or takes at most half a bit, so
/// that the automatic threshold flags every part: it is at most 4 bits above the head start, and a part has at least 5.
inline double score_with_isolated(double isolated_bits, double tree_score, double head_start) {
  constexpr double tie_break = 0x1p-10;
  if (isolated_bits == 0) return tree_score;
  const double tie = std::clamp(tie_break * tree_score, -0.5, 0.5);
  return std::max(isolated_bits + head_start + tie, tree_score);
}

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

  /// Rows outside of some root cube, or with an isolated value, are among them.
  [[nodiscard]] std::span<const std::size_t> candidates() const { return candidates_; }
  /// The places of the rows beyond the root cube of a tree, valid until the next call. Trees are asked in their order.
  std::span<const OutsidePlace> places(const Rows& rows, std::size_t tree);

 private:
  const Forest& forest_;
  std::vector<std::size_t> candidates_;
  std::vector<OutsidePlace> places_;
};

}  // namespace pidforest::forest
