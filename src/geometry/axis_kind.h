// SPDX-License-Identifier: Apache-2.0
// The kinds of axes. docs/internals.md lists the files that a new kind must change.
#pragma once

#include <cstdint>

namespace pidforest::geometry {

/// Ordered: numbers on a line. Cyclic: numbers on a circle. Category: levels without an order, numbered from 0.
/// A kind that is neither cyclic nor category has ranges of numbers as its parts. Model files store the numbers of the
/// enumerators, so a new kind goes last.
enum class AxisKind : std::uint8_t { ordered, cyclic, category };

inline constexpr AxisKind last_axis_kind = AxisKind::category;

}  // namespace pidforest::geometry
