// SPDX-License-Identifier: Apache-2.0
// The trees and the root cube that they share: all the structure of a model, without counts.
#pragma once

#include <cstdint>
#include <vector>

#include "forest/rows.h"
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
Forest grow_forest(const Rows& rows, std::vector<geometry::Interval> root, const Options& options, const Run& run);

/// The rows that each tree is counted on at fit: all of them, its own sample, or one sample for all trees.
Counts count_for_fit(const Forest& forest, const Rows& rows, const Options& options, const Run& run);

/// Drops all rows down all trees.
Counts count_rows(const Forest& forest, const Rows& rows, const Run& run);

}  // namespace pidforest::forest
