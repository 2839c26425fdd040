// SPDX-License-Identifier: Apache-2.0
// Combines a row's bits in each tree into its score.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "forest/row_block.h"
#include "pidforest/options.h"

namespace pidforest::forest {

/// Returns the score of one row from its bits in each tree. `median_bits` has one value per tree and is used by `vote`.
/// Side effect: reorders the bits.
double aggregate(std::span<double> tree_bits, const Options& options, std::span<const double> median_bits);

/// The bits by which the scores of an aggregate may exceed those of `mean`, because a row needs only a few of the
/// trees.
double head_start(const Options& options);

/// Collects the bits of a block's rows, one tree after the other, always in the order of the trees.
class Aggregator {
 public:
  Aggregator(const Options& options, std::span<const double> median_bits);

  void begin_block();
  /// Returns the array to which the next tree's bits are to be added, one element per row.
  std::span<double, block_rows> begin_tree();
  /// `tree` is its number in the forest.
  void end_tree(std::size_t tree);
  /// Writes the scores of the first scores.size() rows.
  void end_block(std::span<double> scores);

 private:
  double score_of_row(std::size_t row);

  Options options_;
  std::span<const double> median_bits_;
  std::size_t n_trees_ = 0;
  /// The sum over the trees, if the aggregate needs only that.
  alignas(BlockSet) std::array<double, block_rows> sums_{};
  alignas(BlockSet) std::array<double, block_rows> tree_bits_{};
  /// The bits of all trees, if it needs more.
  std::vector<double> all_bits_;
  std::vector<double> row_bits_;
};

}  // namespace pidforest::forest
