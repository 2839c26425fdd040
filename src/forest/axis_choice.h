// SPDX-License-Identifier: Apache-2.0
// Chooses the axis on which a node is cut: drawn with probability proportional to gain^power, by the Gumbel-max trick.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "geometry/logarithm.h"

namespace pidforest::forest {

/// With one Gumbel draw G per axis, choosing the largest power * ln(gain) + G is the same as drawing an axis with
/// probability proportional to gain^power. Since G = -ln(E) with an exponential E, the usual powers need no logarithm
/// of the gain: gain^power / E has the same order. The draws do not depend on the gains, so an upper bound on a gain
/// bounds the key.
class AxisChoice {
 public:
  static constexpr std::uint32_t no_axis = std::numeric_limits<std::uint32_t>::max();

  explicit AxisChoice(double power) : power_(power) {}

  /// Returns the key of an axis with gain > 0; the axis with the largest key is chosen. `uniform` in (0, 1) is the
  /// axis' own draw.
  [[nodiscard]] double key(double gain, double uniform) const {
    if (power_ == std::numeric_limits<double>::infinity()) return gain;
    const double exponential = -geometry::portable_log(uniform);
    if (power_ == 0) return 1 / exponential;
    if (power_ == 0.5) return std::sqrt(gain) / exponential;
    if (power_ == 1) return gain / exponential;
    return power_ * geometry::portable_log(gain) - geometry::portable_log(exponential);
  }

  /// Takes the axis if its key beats all earlier ones; of equal keys the axis with the lowest number wins.
  void offer(std::uint32_t axis, double key) {
    if (axis_ == no_axis || key > key_ || (key == key_ && axis < axis_)) {
      axis_ = axis;
      key_ = key;
    }
  }

  [[nodiscard]] bool is_made() const { return axis_ != no_axis; }
  [[nodiscard]] std::uint32_t axis() const { return axis_; }
  /// An axis with a smaller key can no longer be chosen.
  [[nodiscard]] double best_key() const { return key_; }

 private:
  double power_;
  std::uint32_t axis_ = no_axis;
  double key_ = -std::numeric_limits<double>::infinity();
};

}  // namespace pidforest::forest
