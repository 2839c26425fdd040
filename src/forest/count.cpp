// SPDX-License-Identifier: Apache-2.0
#include "forest/count.h"

#include "forest/route.h"
#include "system/parallel.h"

namespace pidforest::forest {

namespace {

Counts add_up(const std::vector<TreeCounter>& counters) {
  Counts counts = counters[0].counts();
  for (std::size_t i = 1; i < counters.size(); ++i) counts += counters[i].counts();
  return counts;
}

Counts count_own_samples(const Forest& forest, const CodeBook& book, const ChosenRows& chosen, const Options& options,
                         const Run& run) {
  std::vector<RowBlock> blocks(system::threads_for(run, forest.trees.size()), RowBlock(book, forest));
  std::vector<TreeCounter> counters(blocks.size(), TreeCounter(forest, book, forest.trees.size()));
  system::parallel_for(forest.trees.size(), run, "counting", [&](std::size_t tree, unsigned worker) {
    const CopiedRows own(chosen.rows, chosen.places_of(tree_sample(chosen.n_rows, options, tree)));
    for (std::size_t begin = 0; begin < own.rows().n; begin += block_rows) {
      blocks[worker].load(own.rows(), begin);
      counters[worker].add_to_tree(tree, blocks[worker]);
    }
  });
  return add_up(counters);
}

}  // namespace

TreeCounter::TreeCounter(const Forest& forest, const CodeBook& book, std::size_t n_trees)
    : forest_(&forest), book_(&book) {
  for (std::size_t tree = 0; tree < n_trees; ++tree) counts_.trees.emplace_back(forest.trees[tree].nodes.size());
}

void TreeCounter::add(const RowBlock& block, const Rows& /*rows*/, std::size_t /*begin*/) {
  for (std::size_t tree = 0; tree < counts_.trees.size(); ++tree) add_to_tree(tree, block);
}

void TreeCounter::add_to_tree(std::size_t tree, const RowBlock& block) {
  route(CodedTree(*forest_, *book_, tree), block, reached_);
  add_sizes(reached_, counts_.trees[tree]);
}

Counts count_rows(const Forest& forest, const CodeBook& book, const Rows& rows, const Run& run) {
  return add_up(
      count_blocks(RowBlock(book, forest), TreeCounter(forest, book, forest.trees.size()), rows, run, "counting"));
}

Counts count_chosen(const Forest& forest, const CodeBook& book, const ChosenRows& chosen, const Options& options,
                    const Run& run) {
  if (options.count_rows == Options::own_sample) return count_own_samples(forest, book, chosen, options, run);
  const auto places = chosen.places_of(count_sample(chosen.n_rows, options));
  return count_rows(forest, book, CopiedRows(chosen.rows, places).rows(), run);
}

}  // namespace pidforest::forest
