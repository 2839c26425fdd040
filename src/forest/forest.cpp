// SPDX-License-Identifier: Apache-2.0
#include "forest/forest.h"

#include "forest/sample.h"
#include "system/parallel.h"

namespace pidforest::forest {

Forest grow_forest(const ChosenRows& chosen, const Axes& axes, std::vector<geometry::Interval> root,
                   const Options& options, const Run& run) {
  Forest forest{.root = std::move(root), .trees = std::vector<Tree>(static_cast<std::size_t>(options.n_estimators))};
  system::parallel_for(forest.trees.size(), run, "growing trees", [&](std::size_t tree, unsigned) {
    const Sample sample(chosen.rows, chosen.places_of(tree_sample(chosen.n_rows, options, tree)));
    forest.trees[tree] =
        grow(sample, axes, forest.root, {.options = &options, .tree = static_cast<std::uint32_t>(tree), .run = &run});
  });
  return forest;
}

}  // namespace pidforest::forest
