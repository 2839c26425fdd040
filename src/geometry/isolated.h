// SPDX-License-Identifier: Apache-2.0
// Isolated values of an ordered axis: a few values far beyond all others, with a gap that the tail of the others does
// not explain. They form parts of their own outside the core of the axis, on which trees are grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pidforest::geometry {

/// Isolated values at one end of an axis: a few values of the table, or, where `n_rows` is 0, values that a row of
/// another table may have. Above the core the part holds nearest <= x, below it x <= nearest, up to the next part.
struct IsolatedPart {
  /// The next value towards the core, which is not in the part.
  double inner = 0;
  /// The value that is nearest to `inner` and in the part. No row of the table lies between the two.
  double nearest = 0;
  /// The farthest value.
  double outer = 0;
  /// The length of the part as a share of the axis up to `outer`.
  double share = 0;
  std::uint64_t n_rows = 0;
  /// log2 of how many times fewer rows it has than an even spread would put there. A part without rows counts the one
  /// row that may come.
  double bits = 0;

  bool operator==(const IsolatedPart&) const = default;
};

/// The isolated parts of an axis. Adjacent parts touch: the outer end of the next part is the inner end of this one. A
/// part without rows is the only one at its end.
struct IsolatedParts {
  /// From the outermost part towards the core.
  std::vector<IsolatedPart> below = {};
  std::vector<IsolatedPart> above = {};
  /// Where hardly any value is missing, the bits of a missing value; otherwise 0. `n_missing` is then the number of
  /// such rows, which may be 0.
  double missing_bits = 0;
  std::uint64_t n_missing = 0;

  [[nodiscard]] bool empty() const { return below.empty() && above.empty() && missing_bits == 0; }
  /// Whether a row of the table is in a part.
  [[nodiscard]] bool has_rows() const;
  /// The core lies between these two; infinite where no row of the table is in a part of that end.
  [[nodiscard]] double core_low() const;
  [[nodiscard]] double core_high() const;
  /// The part that holds x, or the outermost part if x lies beyond it; nullptr in the core and for NaN.
  [[nodiscard]] const IsolatedPart* part_of(double x) const;
  /// Whether x is in a part that has rows of the table.
  [[nodiscard]] bool joins_rows(double x) const;
  /// The bits of the part that holds x. Beyond the outermost part they are those of the part stretched to reach x. 0 in
  /// the core.
  [[nodiscard]] double bits_of(double x) const;

  bool operator==(const IsolatedParts&) const = default;
};

/// The facts about an axis that decide whether it has isolated values.
struct OuterValues {
  /// The `n_outer(n_rows)` lowest values in increasing order, and as many of the highest in decreasing order; all
  /// values if there are fewer.
  std::vector<double> lowest = {};
  std::vector<double> highest = {};
  /// The number of values that are not missing.
  std::uint64_t n_present = 0;
  double median = 0;
  /// Whether values between those of the table may come.
  bool is_line = true;
};

/// How many values at each end of an axis are needed to judge it.
std::size_t n_outer(std::size_t n_rows);

/// Finds the isolated parts of an ordered axis. `n_axes` is the number of axes that vary: the more axes, the more bits
/// a part must have. docs/theory.md has the rule.
IsolatedParts find_isolated(const OuterValues& values, std::size_t n_axes);

/// The levels of a category in a sample of the rows.
struct SampledLevels {
  std::size_t n_rows = 0;
  /// The number of levels that occur once.
  std::size_t n_once = 0;
};

/// Isolates unseen levels, whose code is `n_levels`, if each level has many rows and new levels are not to be expected:
/// by Good and Turing, the next level of the sample is new with a chance of about the share of levels that occur once.
void isolate_unseen(std::size_t n_levels, std::uint64_t n_present, const SampledLevels& sample, std::size_t n_axes,
                    IsolatedParts& parts);

/// Sets the bits of missing values if they are rare enough to be isolated, or if there is none.
void isolate_missing(std::uint64_t n_missing, std::uint64_t n_rows, std::size_t n_axes, IsolatedParts& parts);

}  // namespace pidforest::geometry
