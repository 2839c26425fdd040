// SPDX-License-Identifier: Apache-2.0
// The trees and the root cube that they share: the structure of a model, without counts.
#pragma once

#include <cstddef>
#include <vector>

#include "forest/chosen_rows.h"
#include "forest/grow.h"
#include "forest/tree.h"
#include "geometry/interval.h"
#include "pidforest/model.h"

namespace pidforest::forest {

struct Forest {
  /// One interval per axis.
  std::vector<geometry::Interval> root;
  std::vector<Tree> trees;

  bool operator==(const Forest&) const = default;
};

/// Draws the samples and grows the trees.
Forest grow_forest(const ChosenRows& chosen, const Axes& axes, std::vector<geometry::Interval> root,
                   const Options& options, const Run& run);

}  // namespace pidforest::forest
