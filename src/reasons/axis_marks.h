// SPDX-License-Identifier: Apache-2.0
// Marks: parts of a single axis, cut out by the forest, that are rare by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest/forest.h"
#include "geometry/part.h"
#include "pidforest/options.h"

namespace pidforest::reasons {

/// A part of an axis that is rare by itself.
struct RarePart {
  geometry::Part part;
  double log2_share = 0;
  /// log2 of length per row, in the sample.
  double bits = 0;
};

/// The marks of a forest. A part is a mark if it has more than log2(number of axes) + 1 bits, which is more than chance
/// gives the rarest axis.
class AxisMarks {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Uses the first `n_trees` trees. `sample` is a sample of the rows in which the parts will be counted.
  AxisMarks(const forest::Forest& forest, std::size_t n_trees, const forest::Rows& sample, const Run& run);

  [[nodiscard]] const std::vector<RarePart>& marks() const { return marks_; }
  /// The place of the mark of a value in `marks()`; `none` if the value is ordinary.
  [[nodiscard]] std::uint32_t mark_of(std::size_t axis, double x) const {
    const Lines& lines = lines_[axis];
    return lines.ordinary_low <= x && x < lines.ordinary_high ? none : look_up(lines, x);
  }

 private:
  /// The mark of the values between two borders: marks[i] for the values before borders[i], the last for those after
  /// all.
  struct Lines {
    std::vector<double> borders;
    std::vector<std::uint32_t> marks;
    std::uint32_t of_missing = none;
    /// A stretch without marks, for speed.
    double ordinary_low = 0;
    double ordinary_high = 0;
  };
  class Finder;

  static std::uint32_t look_up(const Lines& lines, double x);

  std::vector<RarePart> marks_;
  std::vector<Lines> lines_;
};

}  // namespace pidforest::reasons
