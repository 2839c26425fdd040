// SPDX-License-Identifier: Apache-2.0
// From a row's bits in each tree to its score.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "forest/row_block.h"
#include "pidforest/options.h"

namespace pidforest::forest {

/// The score of one row by its bits in each tree. `median_bits` are those of the trees, for `vote`. Side effect:
/// reorders the bits.
double aggregate(std::span<double> tree_bits, const Options& options, std::span<const double> median_bits);

/// Collects the bits of a block's rows tree by tree, always in the order of the trees.
class Aggregator {
 public:
  Aggregator(const Options& options, std::span<const double> median_bits);

  void begin_block();
  /// Where the next tree's bits are to be added, row by row.
  std::span<double, block_rows> begin_tree();
  void end_tree();
  /// The scores of the first scores.size() rows.
  void end_block(std::span<double> scores);

 private:
  double score_of_row(std::size_t row);

  Options options_;
  std::span<const double> median_bits_;
  std::size_t n_trees_ = 0;
  /// The sum over the trees, where that is all that is needed.
  alignas(BlockSet) std::array<double, block_rows> sums_{};
  alignas(BlockSet) std::array<double, block_rows> tree_bits_{};
  /// The bits of all trees, where it is not.
  std::vector<double> all_bits_;
  std::vector<double> row_bits_;
};

}  // namespace pidforest::forest
