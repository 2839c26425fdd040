// SPDX-License-Identifier: Apache-2.0
// The rows on which one tree is grown, copied so that all axes of a row are adjacent and fill vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "geometry/isolated.h"

namespace pidforest::forest {

class Sample {
 public:
  /// The number of lanes of the longest vector in use, 512 bits.
  static constexpr std::size_t lanes_at_most = 8;

  Sample(const Rows& rows, std::span<const std::size_t> chosen);

  /// Moves values in isolated parts to the nearest end of the core. `isolated` has one element per axis, or none.
  void clamp(std::span<const geometry::IsolatedParts> isolated);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_axes() const { return n_axes_; }
  /// The number of doubles from one row to the next, a multiple of the vector size; the padding of a row is NaN.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] bool has_missing() const { return has_missing_; }

  [[nodiscard]] double value(std::size_t row, std::size_t axis) const { return values_[row * stride_ + axis]; }
  [[nodiscard]] const double* values() const { return values_.data(); }

 private:
  std::size_t n_rows_;
  std::size_t n_axes_;
  std::size_t stride_;
  bool has_missing_ = false;
  std::vector<double> values_;
};

/// One number per axis of a sample, padded to its stride.
struct AxisRanges {
  std::vector<double> least;
  std::vector<double> largest;
  /// The number of values that are not missing.
  std::vector<double> present;
};

/// Finds the range of the values of `rows` on every axis; least = infinity and largest = -infinity if all are missing.
void find_ranges(const Sample& sample, std::span<const std::uint32_t> rows, AxisRanges& ranges);

/// Counts the values of `rows` that are below `cuts[axis]`, on every axis. `cuts` and `below` have sample.stride()
/// numbers.
void count_below(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const double> cuts,
                 std::span<double> below);

}  // namespace pidforest::forest
