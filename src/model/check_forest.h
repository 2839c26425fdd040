// SPDX-License-Identifier: Apache-2.0
// Validates trees and counts from a file: only those that growing and counting can produce are safe to route rows
// through. Time and memory are proportional to the number of nodes, and there is no recursion.
#pragma once

#include <cstdint>
#include <span>

#include "forest/forest.h"
#include "geometry/axis.h"
#include "pidforest/model.h"
#include "schema/encode.h"

namespace pidforest::model {

/// The interval of an axis in a root cube that all trees share, by its three numbers. Throws BadFile if there is no
/// such interval.
geometry::Interval checked_interval(const schema::AxisInfo& info, geometry::Interval interval);
/// Like checked_interval, for the root cube of one tree. The tree may know fewer levels than the schema has now, or
/// nothing of the axis.
geometry::Interval checked_own_interval(const schema::AxisInfo& info, geometry::Interval interval);

/// Throws InvalidInput that names tree and node: children that are not after their parent or have two; cuts or pieces
/// out of order or range; more depth than `max_depth`; volumes that do not add up. `infos` has one per axis of the
/// root cubes, whose intervals were checked.
void check_forest(const forest::Forest& forest, std::span<const schema::AxisInfo> infos, std::int64_t max_depth);

/// Throws InvalidInput, naming tree and node, if the number of nodes differs, if children have more rows than their
/// parent, or fewer where no row can have stayed, or if trees have counted different numbers of rows.
void check_counts(const forest::Forest& forest, const Counts& counts);

}  // namespace pidforest::model
