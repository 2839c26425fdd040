// SPDX-License-Identifier: Apache-2.0
// A condition on one axis, and several of them: a cube by the values that it holds, whatever tree or search found it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/axis.h"
#include "geometry/interval.h"

namespace pidforest::geometry {

/// The values of one axis that a cube holds, where those are not all: the missing ones and no others, or some of those
/// that are not missing.
struct Part {
  std::uint32_t axis = 0;
  AxisKind kind = AxisKind::ordered;
  bool is_missing = false;
  /// Ordered: low <= x < high; an infinite end is none. Cyclic: from low around the circle up to but not including
  /// high; all of the circle where they are equal.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// Category: the levels, in increasing order. The code after all levels stands for unseen levels.
  std::vector<CodeRange> levels = {};

  /// Whether it holds a value; NaN is missing.
  [[nodiscard]] bool holds(double x) const;

  bool operator==(const Part&) const = default;
};

/// An order of parts, the axis first; equal ones come side by side.
bool comes_before(const Part& a, const Part& b);

/// The share of the axis' length that a part has, whole = 1; `root` is the axis' interval in the root cube. Not less
/// than `smallest_share`. What lies beyond the root cube has no end and counts as long as the axis.
double share_of(const Part& part, const Interval& root);

/// A cube as the axes on which it is less than the root cube: at most one part per axis, in their order.
using Parts = std::vector<Part>;

/// The volume of the cube as a share of the root cube's.
double log2_volume(const Parts& parts, std::span<const Interval> root);

/// log2(volume * n / rows inside); a cube without rows counts as half a row.
double bits_of(double log2_volume, std::uint64_t n_inside, std::uint64_t n_rows);

}  // namespace pidforest::geometry
