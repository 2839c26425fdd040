// SPDX-License-Identifier: Apache-2.0
// Counts the rows in each of many cubes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "forest/rows.h"
#include "geometry/part.h"
#include "pidforest/options.h"

namespace pidforest::reasons {

/// Counts the rows of cubes. For each axis, a row is looked up once among the ends of all cubes.
class CubeCounter {
 public:
  CubeCounter(std::span<const geometry::Parts> cubes, std::size_t n_axes);

  /// Adds the number of rows in each cube to `counts`.
  void add(const forest::Rows& rows, std::span<std::uint64_t> counts, const Run& run) const;

 private:
  class Block;

  /// A part of an axis. The ends of its stretches are places in `ends_[axis]`.
  struct PlacedPart {
    std::uint32_t axis;
    bool is_missing;
    /// From the first place up to but not including the second.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches = {};
  };

  [[nodiscard]] std::uint32_t place_of(std::size_t axis, double end) const;
  [[nodiscard]] PlacedPart place_part(const geometry::Part& part) const;

  /// Per axis, the ends of all parts in increasing order, minus infinity first; empty if no cube has a part there.
  std::vector<std::vector<double>> ends_;
  /// Each distinct part once.
  std::vector<PlacedPart> parts_;
  /// Per cube, the places of its parts in `parts_`.
  std::vector<std::vector<std::uint32_t>> cubes_;
};

/// The number of rows in one cube.
std::uint64_t count_inside(const geometry::Parts& parts, const forest::Rows& rows);

}  // namespace pidforest::reasons
