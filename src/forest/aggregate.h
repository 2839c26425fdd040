// SPDX-License-Identifier: Apache-2.0
// From a row's bits in each tree to its score.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/row_block.h"
#include "pidforest/options.h"

namespace pidforest::forest {

/// Collects the bits of a block's rows tree by tree, always in the order of the trees.
class Aggregator {
 public:
  Aggregator(const Options& options, std::span<const double> median_bits);

  void clear();
  /// `bits` holds the bits of the block's rows in the next tree.
  void add_tree(std::span<const double, block_rows> bits);
  /// The scores of the first scores.size() rows.
  void finish(std::span<double> scores);

 private:
  double score_of_row(std::size_t row);

  Options options_;
  std::span<const double> median_bits_;
  std::size_t n_trees_ = 0;
  std::vector<double> sums_;
  /// All the bits, kept only where a sum is not enough.
  std::vector<double> bits_;
  std::vector<double> row_bits_;
};

}  // namespace pidforest::forest
