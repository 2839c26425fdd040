// SPDX-License-Identifier: Apache-2.0
// Rows outside the root cube: the cube of their leaf is stretched to reach them, which makes it emptier.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

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

}  // namespace pidforest::forest
