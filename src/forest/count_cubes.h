// SPDX-License-Identifier: Apache-2.0
// How many rows lie in each of many cubes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "geometry/part.h"
#include "pidforest/run.h"

namespace pidforest::forest {

/// Counts cubes that have conditions in common, which are looked at once.
class CubeCounter {
 public:
  explicit CubeCounter(std::span<const geometry::Parts> cubes);

  /// Adds the number of rows in each cube to `counts`.
  void add(const Rows& rows, std::span<std::uint64_t> counts, const Run& run) const;

 private:
  class Block;

  /// Each condition once.
  std::vector<geometry::Part> parts_;
  /// The places of each cube's conditions among them.
  std::vector<std::vector<std::uint32_t>> cubes_;
};

}  // namespace pidforest::forest
