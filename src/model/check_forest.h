// SPDX-License-Identifier: Apache-2.0
// Validates trees and counts from a file: only those that growing and counting can produce are safe to route rows
// through. Time and memory are proportional to the number of nodes, and there is no recursion.
#pragma once

#include <vector>

#include "forest/forest.h"
#include "geometry/axis.h"
#include "pidforest/model.h"
#include "schema/encode.h"

namespace pidforest::model {

/// Throws BadFile if the interval cannot be that of the axis in a root cube.
void check_interval(const schema::AxisInfo& info, const geometry::Interval& interval);

/// The properties of an axis that trees are checked against.
struct AxisShape {
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  /// Categories: the number of levels.
  std::uint32_t n_levels = 0;
};

/// Throws InvalidInput, naming tree and node, if children do not follow their parent or have two parents, if cuts or
/// pieces are out of order or range, if a node is deeper than `max_depth`, or if volumes do not add up. `shapes` has
/// one entry per axis of the root.
void check_forest(const forest::Forest& forest, const std::vector<AxisShape>& shapes, std::int64_t max_depth);

/// Throws InvalidInput, naming tree and node, if the number of nodes differs, if children have more rows than their
/// parent, or fewer where no row can have stayed, or if trees have counted different numbers of rows.
void check_counts(const forest::Forest& forest, const Counts& counts);

}  // namespace pidforest::model
