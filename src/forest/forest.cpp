// SPDX-License-Identifier: Apache-2.0
#include "forest/forest.h"

#include "forest/parallel.h"
#include "forest/random.h"
#include "forest/sample.h"

namespace pidforest::forest {

std::vector<std::size_t> tree_sample(std::size_t n_rows, const Options& options, std::size_t tree) {
  return sample_without_replacement(n_rows, static_cast<std::size_t>(options.max_samples),
                                    static_cast<std::uint64_t>(options.seed),
                                    {.purpose = Purpose::sample_rows, .tree = static_cast<std::uint32_t>(tree)});
}

Forest grow_forest(const Rows& rows, const Axes& axes, std::vector<geometry::Interval> root, const Options& options,
                   const Run& run) {
  Forest forest{.root = std::move(root), .trees = std::vector<Tree>(static_cast<std::size_t>(options.n_estimators))};
  parallel_for(forest.trees.size(), run, "growing trees", [&](std::size_t tree, unsigned) {
    const Sample sample(rows, tree_sample(rows.n, options, tree));
    forest.trees[tree] =
        grow(sample, axes, forest.root, {.options = &options, .tree = static_cast<std::uint32_t>(tree), .run = &run});
  });
  return forest;
}

}  // namespace pidforest::forest
