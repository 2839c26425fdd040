// SPDX-License-Identifier: Apache-2.0
// The trees of a model and their root cubes: all of its structure, without counts.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/chosen_rows.h"
#include "forest/grow.h"
#include "forest/relations.h"
#include "forest/tree.h"
#include "geometry/interval.h"
#include "geometry/isolated.h"
#include "pidforest/model.h"

namespace pidforest::forest {

/// A root cube: one interval per axis. An axis that a tree knows nothing of has an interval without ends.
using Root = std::vector<geometry::Interval>;

/// A group of axes, in increasing order.
using View = std::vector<std::uint32_t>;

struct Forest {
  /// The smallest cube that holds the root cubes of all trees.
  Root root;
  /// The root cube of each tree, where they differ. Empty if all trees share `root`, as those of a batch do.
  std::vector<Root> own_roots = {};
  std::vector<Tree> trees;
  /// The isolated parts of each axis, outside of the root cubes. Empty if no axis has any.
  std::vector<geometry::IsolatedParts> isolated = {};
  /// The strongest relations between the axes when the trees were grown, the strongest first.
  std::vector<Relation> relations = {};
  /// The views, which trees take turns over: a tree cuts the axes of its view only. Empty: every tree sees all axes.
  std::vector<View> views = {};

  [[nodiscard]] const Root& root_of(std::size_t tree) const { return own_roots.empty() ? root : own_roots[tree]; }
  [[nodiscard]] std::size_t n_views() const { return views.empty() ? 1 : views.size(); }
  /// Whether a tree may cut an axis.
  [[nodiscard]] bool sees(std::size_t tree, std::uint32_t axis) const;

  bool operator==(const Forest&) const = default;
};

/// The part of `within` that lies in all of some root cubes. Levels are never outside of an interval of levels. Where
/// the cubes have no value in common on an axis, its interval has its low end above its high one.
Root common_root(std::span<const Root> roots, Root within);
/// The values that lie in the root cubes of all trees and in no isolated part.
Root common_root(const Forest& forest);

/// The starting point of a forest: its axes, the root cube that its trees share, the isolated parts outside of it, and
/// the views of the trees.
struct Ground {
  const Axes& axes;
  Root root;
  std::vector<geometry::IsolatedParts> isolated = {};
  /// See Forest.
  std::vector<View> views = {};
};

/// Whether the options ask for related trees.
bool finds_relations(const Options& options);

/// Finds the relations between the axes of each view in a sample of the rows, if the options ask for related trees.
/// Draws the samples of the trees from `chosen` and grows them. Values in isolated parts count as the ends of the root
/// cube.
Forest grow_forest(const ChosenRows& chosen, const SortedRows& sample, Ground ground, const Options& options,
                   const Run& run);

}  // namespace pidforest::forest
