// SPDX-License-Identifier: Apache-2.0
// An axis as the cells that rows fall into: what a search for cubes tells apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/axis.h"
#include "geometry/interval.h"
#include "pidforest/exact.h"
#include "schema/encode.h"

namespace pidforest::exact {

/// Ordered and cyclic axes have a cell per value that rows have, in increasing order; categories one per level. The
/// missing values have the cell that comes after all of those.
struct AxisCells {
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  geometry::Interval root = {};
  std::uint32_t n_values = 0;
  /// Ordered and cyclic: where a part begins that leaves out a cell and what is before it, and where one ends that
  /// leaves out a cell and what is after it.
  std::vector<double> after = {};
  std::vector<double> before = {};
  /// Category: the branch above each branch. The levels come first, the whole last; that of a flat one is above all
  /// levels.
  std::vector<std::uint32_t> parents = {};
  std::vector<std::uint32_t> of_row = {};

  [[nodiscard]] std::uint32_t missing() const { return n_values; }
};

/// `values` has the axis' value of every row; NaN is missing.
AxisCells cells_of(const schema::AxisInfo& info, const geometry::Interval& root, std::span<const double> values,
                   IntervalEnds ends);

}  // namespace pidforest::exact
