// SPDX-License-Identifier: Apache-2.0
#include "forest/forest.h"

#include <algorithm>
#include <numeric>
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

bool Forest::sees(std::size_t tree, std::uint32_t axis) const {
  return views.empty() || std::ranges::binary_search(views[tree % views.size()], axis);
}

bool finds_relations(const Options& options) { return options.cuts == Cuts::sampled && options.related_share != 0; }

namespace {

/// The relations between axes; none if the options ask for no related trees.
Relations find_relations(const SortedRows& sample, const Axes& axes, const Root& root, const Options& options,
                         const Run& run) {
  constexpr std::size_t fewest_rows = 32;  // chance relates all columns of a smaller sample
  if (!finds_relations(options) || sample.rows.n < fewest_rows) return {};
  std::vector<RelatedAxis> related;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) related.push_back({axes[axis]->kind(), root[axis].high});
  return {sample, related, run};
}

/// The elements of a list that has one per axis, or none.
template <class List>
List seen(const List& all, const View& view) {
  List some;
  if (!all.empty())
    for (const std::uint32_t axis : view) some.push_back(all[axis]);
  return some;
}

/// Everything that is known of the axes of a view, in its order.
class SeenGround {
 public:
  SeenGround(View view, const ChosenRows& chosen, const SortedRows& sample, const Ground& ground,
             const Options& options, const Run& run)
      : view_(std::move(view)),
        rows_{.n = chosen.rows.n, .columns = seen(chosen.rows.columns, view_)},
        axes_(seen(ground.axes, view_)),
        root_(seen(ground.root, view_)),
        isolated_(seen(ground.isolated, view_)),
        relations_(find_relations(sample.in_order(std::vector<std::size_t>(view_.begin(), view_.end())), axes_, root_,
                                  options, run)) {}

  /// The settings without the relations. `places` are those of the tree's rows.
  [[nodiscard]] Tree grow(std::span<const std::size_t> places, GrowSettings settings) const {
    Sample sample(rows_, places);
    sample.clamp(isolated_);
    settings.relations = &relations_;
    Tree tree = forest::grow(sample, axes_, root_, settings);
    for (Node& node : tree.nodes)
      if (!node.is_leaf()) node.axis = view_[node.axis];
    return tree;
  }

  void add_relations(std::vector<Relation>& relations) const {
    for (const Relation& one : relations_.strongest())
      relations.push_back({view_[one.first], view_[one.second], one.information});
  }

 private:
  View view_;
  Rows rows_;
  Axes axes_;
  Root root_;
  std::vector<geometry::IsolatedParts> isolated_;
  Relations relations_;
};

View view_of_all(std::size_t n_axes) {
  View all(n_axes);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

}  // namespace

Forest grow_forest(const ChosenRows& chosen, const SortedRows& sample, Ground ground, const Options& options,
                   const Run& run) {
  std::vector<SeenGround> grounds;
  for (const View& view : ground.views.empty() ? std::vector<View>{view_of_all(ground.axes.size())} : ground.views)
    grounds.emplace_back(view, chosen, sample, ground, options, run);
  Forest forest{.root = std::move(ground.root),
                .trees = std::vector<Tree>(static_cast<std::size_t>(options.n_estimators)),
                .isolated = std::move(ground.isolated),
                .views = std::move(ground.views)};
  for (const SeenGround& one : grounds) one.add_relations(forest.relations);
  forest.relations = strongest_of(std::move(forest.relations));
  system::parallel_for(forest.trees.size(), run, "growing trees", [&](std::size_t tree, unsigned) {
    forest.trees[tree] =
        grounds[tree % grounds.size()].grow(chosen.places_of(tree_sample(chosen.n_rows, options, tree)),
                                            {.options = &options,
                                             .tree = static_cast<std::uint32_t>(tree),
                                             .run = &run,
                                             .turn = static_cast<std::uint32_t>(tree / grounds.size())});
  });
  return forest;
}

}  // namespace pidforest::forest
