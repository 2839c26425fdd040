// SPDX-License-Identifier: Apache-2.0
// Whether trees and counts that came from outside are such as growing and counting make them: only then can rows be
// sent down them. Time and memory are in proportion to the number of nodes, and nothing recurs.
#pragma once

#include <vector>

#include "forest/forest.h"
#include "geometry/axis.h"
#include "pidforest/model.h"
#include "schema/encode.h"

namespace pidforest::model {

/// The kind that an axis has in a forest: one of a single value is a point, whatever it is of.
geometry::AxisKind kind_of(const schema::AxisInfo& info, const geometry::Interval& interval);

/// Throws BadFile for what cannot be the interval of an axis in a root cube.
void check_interval(const schema::AxisInfo& info, const geometry::Interval& interval);

/// What a tree may know of an axis.
struct AxisShape {
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  /// Categories: the number of levels.
  std::uint32_t n_levels = 0;
};

/// Throws InvalidInput that names tree and node: children that are not after their parent or have two; cuts or pieces
/// out of order or range; more depth than `max_depth`; volumes that do not add up. `shapes` has one per axis of the
/// root.
void check_forest(const forest::Forest& forest, const std::vector<AxisShape>& shapes, std::int64_t max_depth);

/// Throws InvalidInput that names tree and node: another number of nodes, children with more rows than their parent, or
/// fewer where no row can have stayed there; trees that have counted different numbers of rows.
void check_counts(const forest::Forest& forest, const Counts& counts);

}  // namespace pidforest::model
