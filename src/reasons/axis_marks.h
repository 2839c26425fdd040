// SPDX-License-Identifier: Apache-2.0
// Marks: parts of a single axis, cut out by the forest, that are rare by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/forest.h"
#include "geometry/part.h"

namespace pidforest::reasons {

/// The mark of a value may have this many bits less than the rarest part that holds the value.
inline constexpr double hardly_less = 1;

/// A part of an axis that is rare by itself.
struct RarePart {
  /// Views the part.
  const geometry::Part* part = nullptr;
  /// The number by which Lines refer to the part; not 0.
  std::uint32_t number = 0;
  /// The number of rows inside, in a sample.
  std::uint64_t count = 0;
  /// log2 of length per row, in the sample.
  double bits = 0;
};

/// The marks of the values of one axis, as numbers of parts or of cubes; 0 is none.
struct Lines {
  std::vector<double> borders = {};
  /// marks[i] is the mark of the values before borders[i], the last that of the values after all borders.
  std::vector<std::uint32_t> marks = {0};
  std::uint32_t of_missing = 0;

  /// The mark of a value; NaN is missing.
  [[nodiscard]] std::uint32_t mark_of(double x) const;

  bool operator==(const Lines&) const = default;
};

/// A stretch of an axis without marks: most values lie in it, and need no search.
struct Ordinary {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool holds(double x) const { return low <= x && x < high; }
};

/// The longest stretch without marks.
Ordinary ordinary_stretch(const Lines& lines, const geometry::Interval& root);

/// The bits that a mark must exceed to be multiplied with others: log2(number of axes) + 1, which is more than chance
/// gives the rarest axis.
double least_bits_of_product(const forest::Forest& forest);

/// The parts of an axis in which no fitted row lies: those beyond its root interval, and levels that came later. A
/// circle has none.
std::vector<geometry::Part> parts_beyond(std::uint32_t axis, const geometry::Interval& root, bool is_circle);

/// The mark of each value: the part with the most rows among the parts that hold the value and have nearly the most
/// bits. Rows that are rare for the same reason then have the same mark. The parts are of one axis, without
/// repetitions.
Lines find_lines(std::vector<RarePart> rare);

}  // namespace pidforest::reasons
