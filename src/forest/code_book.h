// SPDX-License-Identifier: Apache-2.0
// The cuts of a whole forest on each axis, in increasing order. The code of a value is the number of cuts that it reaches,
// so comparing small whole numbers is comparing the doubles themselves: exact, and four times as many to a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest/forest.h"

namespace pidforest::forest {

class CodeBook {
 public:
  explicit CodeBook(const Forest& forest);

  /// The cuts on an axis without repetitions, padded with infinities to 2^n_steps - 1 numbers for a binary search.
  struct AxisCuts {
    std::vector<double> cuts;
    unsigned n_steps = 0;
  };
  [[nodiscard]] const AxisCuts& axis(std::size_t axis) const { return axes_[axis]; }

  /// The codes of tree.cuts: a value reaches a cut if its code is at least the cut's.
  [[nodiscard]] const std::vector<std::uint32_t>& codes(std::size_t tree) const { return codes_[tree]; }

  /// The leaves of a tree, in increasing order.
  [[nodiscard]] const std::vector<std::uint32_t>& leaves(std::size_t tree) const { return leaves_[tree]; }

  /// Whether all codes fit into 16 bits; they do unless an axis has more than 32,767 cuts.
  [[nodiscard]] bool is_narrow() const { return largest_code_ <= std::numeric_limits<std::int16_t>::max(); }

 private:
  std::vector<AxisCuts> axes_;
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<std::vector<std::uint32_t>> leaves_;
  std::size_t largest_code_ = 0;
};

}  // namespace pidforest::forest
