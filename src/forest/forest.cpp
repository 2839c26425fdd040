// SPDX-License-Identifier: Apache-2.0
#include "forest/forest.h"

#include <algorithm>
#include <utility>

#include "forest/sample.h"
#include "system/parallel.h"

namespace pidforest::forest {

Root common_root(std::span<const Root> roots, Root within) {
  for (const Root& root : roots)
    for (std::size_t axis = 0; axis < within.size(); ++axis) {
      if (root[axis].has_levels()) continue;
      geometry::Interval& common = within[axis];
      common.low = std::max(common.low, root[axis].low);
      common.high = std::min(common.high, root[axis].high);
      if (common.low >= common.high) common.branches.clear();
    }
  return within;
}

Root common_root(const Forest& forest) { return common_root(forest.own_roots, forest.root); }

Forest grow_forest(const ChosenRows& chosen, const Axes& axes, Root root, const Options& options, const Run& run) {
  Forest forest{.root = std::move(root), .trees = std::vector<Tree>(static_cast<std::size_t>(options.n_estimators))};
  system::parallel_for(forest.trees.size(), run, "growing trees", [&](std::size_t tree, unsigned) {
    const Sample sample(chosen.rows, chosen.places_of(tree_sample(chosen.n_rows, options, tree)));
    forest.trees[tree] =
        grow(sample, axes, forest.root, {.options = &options, .tree = static_cast<std::uint32_t>(tree), .run = &run});
  });
  return forest;
}

}  // namespace pidforest::forest
