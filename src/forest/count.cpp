// SPDX-License-Identifier: Apache-2.0
#include "forest/count.h"

#include "forest/route.h"
#include "system/parallel.h"

namespace pidforest::forest {

namespace {

Counts empty_counts(const Forest& forest) {
  Counts counts;
  for (const Tree& tree : forest.trees) counts.trees.emplace_back(tree.nodes.size(), 0);
  return counts;
}

/// The counts and working memory of one thread.
class Counter {
 public:
  Counter(const Forest& forest, const CodeBook& book)
      : forest_(forest), book_(book), block_(book, forest), counts_(empty_counts(forest)) {}

  void load(const Rows& rows, std::size_t begin) { block_.load(rows, begin); }

  void count_in(std::size_t tree) {
    route(CodedTree(forest_, book_, tree), block_, reached_);
    add_sizes(reached_, counts_.trees[tree]);
  }

  [[nodiscard]] Counts& counts() { return counts_; }

 private:
  const Forest& forest_;
  const CodeBook& book_;
  RowBlock block_;
  std::vector<BlockSet> reached_;
  Counts counts_;
};

Counts add_up(std::vector<Counter>& counters) {
  Counts counts = std::move(counters[0].counts());
  for (std::size_t i = 1; i < counters.size(); ++i) counts += counters[i].counts();
  return counts;
}

Counts count_own_samples(const Forest& forest, const CodeBook& book, const ChosenRows& chosen, const Options& options,
                         const Run& run) {
  std::vector<Counter> counters(system::threads_for(run, forest.trees.size()), Counter(forest, book));
  system::parallel_for(forest.trees.size(), run, "counting", [&](std::size_t tree, unsigned worker) {
    const CopiedRows own(chosen.rows, chosen.places_of(tree_sample(chosen.n_rows, options, tree)));
    for (std::size_t begin = 0; begin < own.rows().n; begin += block_rows) {
      counters[worker].load(own.rows(), begin);
      counters[worker].count_in(tree);
    }
  });
  return add_up(counters);
}

}  // namespace

Counts count_rows(const Forest& forest, const CodeBook& book, const Rows& rows, const Run& run) {
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<Counter> counters(system::threads_for(run, n_blocks), Counter(forest, book));
  system::parallel_for(n_blocks, run, "counting", [&](std::size_t i, unsigned worker) {
    counters[worker].load(rows, i * block_rows);
    for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) counters[worker].count_in(tree);
  });
  return add_up(counters);
}

Counts count_chosen(const Forest& forest, const CodeBook& book, const ChosenRows& chosen, const Options& options,
                    const Run& run) {
  if (options.count_rows == Options::own_sample) return count_own_samples(forest, book, chosen, options, run);
  const auto places = chosen.places_of(count_sample(chosen.n_rows, options));
  return count_rows(forest, book, CopiedRows(chosen.rows, places).rows(), run);
}

}  // namespace pidforest::forest
