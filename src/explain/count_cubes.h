// SPDX-License-Identifier: Apache-2.0
// How many rows lie in each of many cubes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "forest/rows.h"
#include "geometry/part.h"
#include "pidforest/options.h"

namespace pidforest::explain {

/// Counts cubes whose conditions have ends in common: for each axis a row is looked up once among all ends.
class CubeCounter {
 public:
  CubeCounter(std::span<const geometry::Parts> cubes, std::size_t n_axes);

  /// Adds the number of rows in each cube to `counts`.
  void add(const forest::Rows& rows, std::span<std::uint64_t> counts, const Run& run) const;

 private:
  class Block;

  /// A condition; where it is a range, its ends by their places among those of the axis.
  struct Condition {
    geometry::Part part;
    /// Pairs of places: from the first up to but not including the second.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches = {};
  };

  [[nodiscard]] std::uint32_t place_of(std::size_t axis, double end) const;
  void add_ends(const geometry::Part& part);
  [[nodiscard]] Condition condition_of(const geometry::Part& part) const;

  /// By axis, increasing, between minus infinity and infinity.
  std::vector<std::vector<double>> ends_;
  /// Each condition once.
  std::vector<Condition> conditions_;
  /// The places of each cube's conditions among them.
  std::vector<std::vector<std::uint32_t>> cubes_;
};

/// The number of rows in one cube.
std::uint64_t count_inside(const geometry::Parts& parts, const forest::Rows& rows);

}  // namespace pidforest::explain
