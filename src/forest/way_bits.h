// SPDX-License-Identifier: Apache-2.0
// The bits that the path to a node gives to each axis, for all nodes of a tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/row_block.h"
#include "forest/tree.h"

namespace pidforest::forest {

class WayBits {
 public:
  /// The number of doubles per node or row for this many axes, rounded up to fill whole vectors.
  static std::size_t stride_of(std::size_t n_axes) { return (n_axes + 3) / 4 * 4; }

  /// A step from a node to a child gives the difference of their bits to the axis that is cut.
  WayBits(const Tree& tree, std::span<const double> node_bits, std::size_t n_axes);

  /// The nodes at which rows end in one tree.
  using Ends = std::array<std::uint32_t, block_rows>;
  /// Number of trees that are added in one pass, so that the sums are read and written less often.
  static constexpr std::size_t most_trees = 4;

  /// For each row i, adds the bits of the path to ends[t][i] in *trees[t], tree after tree, to the stride numbers from
  /// sums[i * stride] on.
  static void add(std::span<const WayBits* const> trees, std::span<const Ends> ends, std::size_t n_rows,
                  std::span<double> sums);

 private:
  std::size_t stride_;
  std::vector<double> bits_;
};

}  // namespace pidforest::forest
