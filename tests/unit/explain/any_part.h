// SPDX-License-Identifier: Apache-2.0
// Random parts of an axis that contain some of the given values, for RapidCheck.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/part.h"
#include "schema/encode.h"

namespace pidforest {

/// One of 0 to n - 1 with equal probability; inRange alone prefers small numbers.
inline int one_of(int n) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, n)); }

/// A border next to one of the values or between them; on axes with cells, between two cells.
inline double any_border(const std::vector<double>& values, const schema::AxisInfo& axis) {
  const double value = *rc::gen::elementOf(values);
  if (axis.n_cells > 0) return *rc::gen::element(std::floor(value), std::ceil(value));
  const double other = *rc::gen::elementOf(values);
  return *rc::gen::element(value, std::nextafter(value, std::numeric_limits<double>::infinity()),
                           value / 2 + other / 2);
}

inline geometry::Part any_ordered_part(const std::vector<double>& values, const schema::AxisInfo& axis) {
  geometry::Part part;
  if (*rc::gen::arbitrary<bool>()) part.low = any_border(values, axis);
  if (*rc::gen::arbitrary<bool>()) part.high = any_border(values, axis);
  return part;
}

inline geometry::Part any_arc(const std::vector<double>& values, const schema::AxisInfo& axis) {
  return {.kind = geometry::AxisKind::cyclic, .low = any_border(values, axis), .high = any_border(values, axis)};
}

inline geometry::Part any_levels_of(const schema::AxisInfo& axis) {
  geometry::Part part{.kind = geometry::AxisKind::category};
  for (std::uint32_t code = 0; code <= axis.n_cells; ++code)
    if (*rc::gen::arbitrary<bool>()) part.levels.push_back({code, code + 1});
  return part;
}

/// A part with finite borders, as cuts have them. It is of the axis' kind, or ordered like an axis with a single value,
/// or the part of the missing values.
inline geometry::Part any_part(std::vector<double> values, const schema::AxisInfo& axis) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty() || one_of(10) == 0) return {.is_missing = true};
  const bool is_point = one_of(5) == 0;
  for (;;) {
    const geometry::Part part = is_point || axis.kind == geometry::AxisKind::ordered ? any_ordered_part(values, axis)
                                : axis.kind == geometry::AxisKind::cyclic            ? any_arc(values, axis)
                                                                                     : any_levels_of(axis);
    if (std::ranges::any_of(values, [&](double value) { return part.holds(value); })) return part;
  }
}

}  // namespace pidforest
