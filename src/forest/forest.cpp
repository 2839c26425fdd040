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

Root common_root(const Forest& forest) {
  Root common = common_root(forest.own_roots, forest.root);
  for (std::size_t axis = 0; axis < forest.isolated.size(); ++axis) {
    common[axis].low = std::max(common[axis].low, forest.isolated[axis].core_low());
    common[axis].high = std::min(common[axis].high, forest.isolated[axis].core_high());
  }
  return common;
}

bool finds_relations(const Options& options) { return options.cuts == Cuts::sampled && options.related_share != 0; }

Relations find_relations(const SortedRows& sample, const Ground& ground, const Options& options, const Run& run) {
  constexpr std::size_t fewest_rows = 32;  // chance relates all columns of a smaller sample
  if (!finds_relations(options) || sample.rows.n < fewest_rows) return {};
  std::vector<RelatedAxis> axes;
  for (std::size_t axis = 0; axis < ground.axes.size(); ++axis)
    axes.push_back({ground.axes[axis]->kind(), ground.root[axis].high});
  return {sample, axes, run};
}

Forest grow_forest(const ChosenRows& chosen, Ground ground, const Relations& relations, const Options& options,
                   const Run& run) {
  Forest forest{.root = std::move(ground.root),
                .trees = std::vector<Tree>(static_cast<std::size_t>(options.n_estimators)),
                .isolated = std::move(ground.isolated)};
  forest.relations = relations.strongest();
  system::parallel_for(forest.trees.size(), run, "growing trees", [&](std::size_t tree, unsigned) {
    Sample sample(chosen.rows, chosen.places_of(tree_sample(chosen.n_rows, options, tree)));
    sample.clamp(forest.isolated);
    forest.trees[tree] =
        grow(sample, ground.axes, forest.root,
             {.options = &options, .tree = static_cast<std::uint32_t>(tree), .run = &run, .relations = &relations});
  });
  return forest;
}

}  // namespace pidforest::forest
