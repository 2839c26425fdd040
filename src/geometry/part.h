// SPDX-License-Identifier: Apache-2.0
// A part is a condition on one axis. Several parts describe a cube by the values that it holds, whichever tree or
// search found it. This header and its .cpp are where parts are told apart by the kind of their axis.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "geometry/axis.h"
#include "geometry/interval.h"

namespace pidforest::geometry {

/// The values low <= x < high. An infinite end is open.
struct Stretch {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  /// False for NaN.
  [[nodiscard]] bool holds(double x) const { return low <= x && !is_below(x); }
  [[nodiscard]] bool is_below(double x) const { return high <= x && high < std::numeric_limits<double>::infinity(); }
};

/// The values of one axis that a cube holds if it does not hold all of them: either only the missing values, or some of
/// the values that are not missing.
struct Part {
  std::uint32_t axis = 0;
  AxisKind kind = AxisKind::ordered;
  bool is_missing = false;
  /// Ordered: low <= x < high; an infinite end is open. Cyclic: from low around the circle up to but not including
  /// high; the whole circle if they are equal.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  /// Category: the levels, in increasing order. The code after all levels stands for unseen levels.
  std::vector<CodeRange> levels = {};

  /// Whether the part holds a value; NaN is missing.
  [[nodiscard]] bool holds(double x) const;

  /// The values that are not missing, as disjoint stretches in increasing order: one for a range or an arc, two for an
  /// arc that wraps around the circle, one per range of levels, and none if the part holds only missing values. Views
  /// the part and allocates nothing.
  [[nodiscard]] auto stretches() const {
    return std::views::iota(std::size_t{0}, n_stretches()) |
           std::views::transform([this](std::size_t i) { return stretch(i); });
  }

  bool operator==(const Part&) const = default;

 private:
  [[nodiscard]] bool wraps() const { return kind == AxisKind::cyclic && low >= high; }
  [[nodiscard]] std::size_t n_stretches() const;
  [[nodiscard]] Stretch stretch(std::size_t i) const;
};

/// Appends the finite ends of the part's stretches.
void add_ends(const Part& part, std::vector<double>& ends);

/// One or two parts.
class Bounds {
 public:
  explicit Bounds(Part part) : parts_{std::move(part)} {}
  Bounds(Part low, Part high) : parts_{std::move(low), std::move(high)}, n_(2) {}

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] const Part* begin() const { return parts_.data(); }
  [[nodiscard]] const Part* end() const { return parts_.data() + n_; }

 private:
  std::array<Part, 2> parts_;
  std::size_t n_ = 1;
};

/// A range with two ends as two parts, one per end; any other part as it is.
Bounds bounds_of(const Part& part);

/// All values of an axis that are not missing. Levels have no last code: codes after the known levels stand for unseen
/// levels.
Part whole_part(std::uint32_t axis, AxisKind kind);

/// The values of `whole`, which is all of the axis or a part of it, that a fork sends to one of its value children. A
/// fork that only sets missing values apart is of the ordered kind on every axis.
Part child_part(const Part& whole, const Fork& fork, std::uint32_t child, bool is_all_of_axis);

/// The part of an axis between two cuts; an infinite end means up to the end of the axis.
Part part_between(std::uint32_t axis, AxisKind kind, const Stretch& values, const Interval& root);

/// The distance from `x` to `values`, which do not hold it, in lengths of the axis. Levels have no distance, and
/// neither have missing values: half an axis.
double distance_to(double x, AxisKind kind, const Stretch& values, const Interval& root);

/// A strict order of parts by axis, then by values; equal parts are adjacent.
bool comes_before(const Part& a, const Part& b);

/// The part's share of the length of the axis, at least `smallest_share`; `root` is the interval of the axis in the
/// root cube. A part beyond the root cube has no end and counts as long as the axis, as do levels that came later.
double share_of(const Part& part, const Interval& root);

/// A cube as the axes on which it is less than the root cube: at most one part per axis, in the order of the axes.
using Parts = std::vector<Part>;

/// log2 of the volume of the cube as a share of the volume of the root cube.
double log2_volume(const Parts& parts, std::span<const Interval> root);

/// log2(volume * n_rows / n_inside). A cube without rows counts as half a row.
double bits_of(double log2_volume, std::uint64_t n_inside, std::uint64_t n_rows);

}  // namespace pidforest::geometry
