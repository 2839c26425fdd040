// SPDX-License-Identifier: Apache-2.0
// An axis as cells: values that no search for cubes needs to tell apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/axis.h"
#include "geometry/interval.h"
#include "pidforest/exact.h"
#include "schema/encode.h"

namespace pidforest::exact {

/// Ordered and cyclic axes have one cell per distinct value, in increasing order; categories have one per level. The
/// last cell is that of the missing values.
struct AxisCells {
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  geometry::Interval root = {};
  std::uint32_t n_values = 0;
  /// Ordered and cyclic: where a part begins that leaves out a cell and all before it, and where a part ends that
  /// leaves out a cell and all after it.
  std::vector<double> after = {};
  std::vector<double> before = {};
  /// Category: the parent of each branch. The levels come first, the root last; it is the parent of all levels of a
  /// flat category.
  std::vector<std::uint32_t> parents = {};
  std::vector<std::uint32_t> of_row = {};

  [[nodiscard]] std::uint32_t missing() const { return n_values; }
};

/// `values` has the axis' value of every row; NaN is missing.
AxisCells cells_of(const schema::AxisInfo& info, const geometry::Interval& root, std::span<const double> values,
                   IntervalEnds ends);

}  // namespace pidforest::exact
