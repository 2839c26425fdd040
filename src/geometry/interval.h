// SPDX-License-Identifier: Apache-2.0
// An interval of an axis and the share of its length that a part of it has.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace pidforest::geometry {

/// A child's share of its parent's length is never taken below this, so that volumes stay finite.
inline constexpr double smallest_share = 1e-12;

/// Adjacent levels: a single level, or all levels of a branch.
struct CodeRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  bool operator==(const CodeRange&) const = default;
};

/// The part of an axis that a cube holds, including the missing values if `missing_share` > 0.
/// Ordered: low <= x <= high. Cyclic: the arc from `low` on that is high - low long; the whole circle before its first
/// split. Category: the levels of `branches`, which are in increasing order; low and high are not used below the root.
struct Interval {
  double low = 0;
  double high = 0;
  /// The share of the interval's length that belongs to missing values; 0 once the axis has been cut.
  double missing_share = 0;
  std::vector<CodeRange> branches = {};
  /// A single value: the bits of another value, if rows with other values have come since; else as many as there can
  /// be.
  std::optional<double> bits_off = {};

  /// Whether it is one of levels: a code after the last of them stands for a level that came later, and is not outside.
  [[nodiscard]] bool has_levels() const { return !branches.empty(); }

  bool operator==(const Interval&) const = default;
};

/// (to - from) / (high - low), correct even if the difference of two doubles overflows. An interval of a single value
/// has no length, and the share of its only part is 1.
inline double share_of(double from, double to, const Interval& whole) {
  const double length = whole.high - whole.low;
  if (length == 0) return 1;
  if (std::isfinite(length)) return (to - from) / length;
  return (to / 2 - from / 2) / (whole.high / 2 - whole.low / 2);
}

/// The point at `share` of the way back from `to` to `from`: `to` itself at 0.
inline double point_before(double from, double to, double share) {
  const double length = to - from;
  if (std::isfinite(length)) return to - share * length;
  return (to / 2 - share * (to / 2 - from / 2)) * 2;
}

inline double floored_share(double share) { return std::max(share, smallest_share); }

}  // namespace pidforest::geometry
