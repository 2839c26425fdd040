// SPDX-License-Identifier: Apache-2.0
// A product of intervals, one per axis, and its volume. It is narrowed on the way down a tree and put back on the way
// up.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "geometry/interval.h"
#include "geometry/logarithm.h"

namespace pidforest::geometry {

class Cube {
 public:
  /// The root cube: volume 1.
  explicit Cube(std::vector<Interval> intervals) : intervals_(std::move(intervals)) {}

  [[nodiscard]] std::size_t n_axes() const { return intervals_.size(); }
  [[nodiscard]] const Interval& interval(std::size_t axis) const { return intervals_[axis]; }
  /// A share of the root cube's volume, as a power of two: sums of logarithms neither overflow nor vanish.
  [[nodiscard]] double log2_volume() const { return log2_volume_; }

  /// The state before a call of `narrow`.
  struct Before {
    std::size_t axis;
    Interval interval;
    double log2_volume;
  };

  /// Replaces the interval of `axis` by a part of it that has `share` of its length.
  Before narrow(std::size_t axis, const Interval& part, double share) {
    const Before before{axis, std::exchange(intervals_[axis], part), log2_volume_};
    log2_volume_ += portable_log2(share);
    return before;
  }

  void put_back(const Before& before) {
    intervals_[before.axis] = before.interval;
    log2_volume_ = before.log2_volume;
  }

 private:
  std::vector<Interval> intervals_;
  double log2_volume_ = 0;
};

}  // namespace pidforest::geometry
