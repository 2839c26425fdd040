// SPDX-License-Identifier: Apache-2.0
// Counts in blocks of rows, first of all the rows that reach each node, which labels the cubes of a forest.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/row_block.h"
#include "system/parallel.h"

namespace pidforest::forest {

/// Counts in blocks of rows on several threads, so that a block is encoded once, whatever is counted in it: calls
/// counter.add(block, rows, begin) with a counter of the thread's own. Returns the counters of all threads. `block` and
/// `none` are copied for each thread.
template <class Counter>
std::vector<Counter> count_blocks(const RowBlock& block, const Counter& none, const Rows& rows, const Run& run,
                                  std::string_view stage) {
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<RowBlock> blocks(system::threads_for(run, n_blocks), block);
  std::vector<Counter> counters(blocks.size(), none);
  system::parallel_for(n_blocks, run, stage, [&](std::size_t i, unsigned worker) {
    blocks[worker].load(rows, i * block_rows);
    counters[worker].add(blocks[worker], rows, i * block_rows);
  });
  return counters;
}

/// The counts and working memory of one thread: the rows of blocks that reach each node.
class TreeCounter {
 public:
  /// Counts the first `n_trees` trees. The forest and the book must outlive this.
  TreeCounter(const Forest& forest, const CodeBook& book, std::size_t n_trees);

  /// Counts the rows of a block in all of these trees. The block alone says where its rows go.
  void add(const RowBlock& block, const Rows& rows, std::size_t begin);
  void add_to_tree(std::size_t tree, const RowBlock& block);
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  const Forest* forest_;
  const CodeBook* book_;
  std::vector<BlockSet> reached_;
  Counts counts_;
};

/// Routes all rows down all trees.
Counts count_rows(const Forest& forest, const CodeBook& book, const Rows& rows, const Run& run);

/// Returns the counts of a fit that does not count all rows: of each tree's own sample, or of one sample for all trees.
Counts count_chosen(const Forest& forest, const CodeBook& book, const ChosenRows& chosen, const Options& options,
                    const Run& run);

}  // namespace pidforest::forest
