// SPDX-License-Identifier: Apache-2.0
// The trees of a model and their root cubes: all of its structure, without counts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/chosen_rows.h"
#include "forest/grow.h"
#include "forest/tree.h"
#include "geometry/interval.h"
#include "pidforest/model.h"

namespace pidforest::forest {

/// A root cube: one interval per axis. An axis that a tree knows nothing of has an interval without ends.
using Root = std::vector<geometry::Interval>;

struct Forest {
  /// The smallest cube that holds the root cubes of all trees.
  Root root;
  /// The root cube of each tree, where they differ. Empty if all trees share `root`, as those of a batch do.
  std::vector<Root> own_roots = {};
  std::vector<Tree> trees;

  [[nodiscard]] const Root& root_of(std::size_t tree) const { return own_roots.empty() ? root : own_roots[tree]; }

  bool operator==(const Forest&) const = default;
};

/// The part of `within` that lies in all of some root cubes. Levels are never outside of an interval of levels. Where
/// the cubes have no value in common on an axis, its interval has its low end above its high one.
Root common_root(std::span<const Root> roots, Root within);
/// The values that lie in the root cubes of all trees.
Root common_root(const Forest& forest);

/// Draws the samples and grows the trees.
Forest grow_forest(const ChosenRows& chosen, const Axes& axes, Root root, const Options& options, const Run& run);

}  // namespace pidforest::forest
