// SPDX-License-Identifier: Apache-2.0
// Which axis a node is cut on: drawn with probability proportional to gain^power, by the Gumbel-max rule.
#pragma once

#include <cstdint>
#include <limits>

#include "forest/random.h"
#include "geometry/logarithm.h"

namespace pidforest::forest {

/// Taking the largest of power * ln(gain) + G, with one Gumbel draw G per axis, is the same as drawing an axis with
/// probability proportional to gain^power. The draws do not depend on the gains: an upper bound on a gain bounds the
/// key.
class AxisChoice {
 public:
  static constexpr std::uint32_t no_axis = std::numeric_limits<std::uint32_t>::max();

  explicit AxisChoice(double power) : power_(power) {}

  /// The key of an axis: the axis with the largest one is chosen. `uniform` in (0, 1) is the axis' own draw.
  [[nodiscard]] double key(double gain, double uniform) const {
    if (power_ == std::numeric_limits<double>::infinity()) return gain;
    return power_ * geometry::portable_log(gain) + gumbel(uniform);
  }

  /// Takes the axis if its key beats all before; of equals the axis that comes first in the table wins.
  void offer(std::uint32_t axis, double key) {
    if (axis_ == no_axis || key > key_ || (key == key_ && axis < axis_)) {
      axis_ = axis;
      key_ = key;
    }
  }

  [[nodiscard]] bool is_made() const { return axis_ != no_axis; }
  [[nodiscard]] std::uint32_t axis() const { return axis_; }
  /// No axis whose key is below this one can still be chosen.
  [[nodiscard]] double best_key() const { return key_; }

 private:
  double power_;
  std::uint32_t axis_ = no_axis;
  double key_ = -std::numeric_limits<double>::infinity();
};

}  // namespace pidforest::forest
