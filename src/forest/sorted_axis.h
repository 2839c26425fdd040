// SPDX-License-Identifier: Apache-2.0
// A sample's rows sorted by their values on one axis, and kept sorted within every node as the tree grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/sample.h"
#include "geometry/axis.h"

namespace pidforest::forest {

class SortedAxis {
 public:
  SortedAxis(const Sample& sample, std::size_t axis);

  [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }

  /// The values at positions begin .. end in increasing order; equal values are ordered by row.
  [[nodiscard]] geometry::NodeValues values(std::size_t begin, std::size_t end) const;

  /// Reorders the rows and values of every axis as in `CutRule::divide`.
  static void divide(std::span<SortedAxis> axes, std::span<const std::size_t> borders,
                     std::span<const std::uint8_t> child_of_row);

 private:
  std::vector<std::uint32_t> rows_;
  /// The value of each of rows_; missing values come last.
  std::vector<double> values_;
  bool has_missing_ = false;
};

}  // namespace pidforest::forest
