// SPDX-License-Identifier: Apache-2.0
// The bits that the way to a node gives to each axis, for all nodes of a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/tree.h"

namespace pidforest::forest {

class WayBits {
 public:
  /// How many numbers there are per node or row for so many axes: a few more, so that they fill whole vectors.
  static std::size_t stride_of(std::size_t n_axes) { return (n_axes + 3) / 4 * 4; }

  /// A step from a node to a child gives the difference of their bits to the axis that it cuts.
  WayBits(const Tree& tree, std::span<const double> node_bits, std::size_t n_axes);

  /// Adds the bits of the way to end_of[i] to sums[i * stride] and those after it, for each row i.
  void add(std::span<const std::uint32_t> end_of, std::span<double> sums) const;

 private:
  std::size_t stride_;
  std::vector<double> bits_;
};

}  // namespace pidforest::forest
