// SPDX-License-Identifier: Apache-2.0
// The starting point of a fit: the axes, and the interval of each in the root cube.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/forest.h"
#include "forest/grow.h"
#include "geometry/axis_kind.h"
#include "geometry/interval.h"
#include "geometry/isolated.h"
#include "model/outer_survey.h"
#include "pidforest/options.h"
#include "pidforest/table.h"
#include "schema/encoded_table.h"
#include "table/column_ranges.h"

namespace pidforest::model {

struct Roots {
  /// The encoder axis of each axis.
  std::vector<std::size_t> axis_order;
  forest::Axes axes;
  std::vector<geometry::Interval> intervals;
  /// The isolated parts of each axis; empty if no axis has any.
  std::vector<geometry::IsolatedParts> isolated = {};
};

/// The kind that an axis has in a forest. An axis of a single value is a point and counts as ordered.
geometry::AxisKind kind_of(const schema::AxisInfo& info, const geometry::Interval& interval);

/// The views that the columns of a schema belong to, by the axes of a forest, in the order in which they are first
/// named. A column that names no view belongs to all of them. Views without an axis are left out.
std::vector<forest::View> views_of(const schema::Encoder& encoder, std::span<const std::size_t> axis_order);

/// Widens the range of each axis by the rows of a batch. Throws InvalidInput for an infinite value.
void widen_axis_ranges(const Table& encoded, const Run& run, std::vector<table::ColumnRange>& ranges);
/// Returns the range of each axis in the rows of a batch. In the same pass, adds the rows to a survey. Throws
/// InvalidInput for an infinite value.
std::vector<table::ColumnRange> axis_ranges(const Table& encoded, const Run& run, OuterSurvey& outer);

/// Makes one axis for each encoder axis that has a value in some row. Axes that vary come before those that do not, so
/// that a constant column does not change the numbers of the others, nor their random draws. If `next` is not empty,
/// root intervals of numbers reach half a gap beyond their ends. `isolated` has the isolated parts of each encoder
/// axis, or none; intervals end where they begin.
Roots make_roots(std::span<const schema::AxisInfo> infos, std::span<const table::ColumnRange> ranges,
                 std::span<const table::NextValues> next, std::size_t n_rows,
                 std::span<const geometry::IsolatedParts> isolated = {});

/// Like make_roots, for all rows. Reads the rows again if the options ask for half a gap.
Roots find_roots(const schema::EncodedBatches& encoded, const std::vector<table::ColumnRange>& ranges,
                 const Options& options, const Run& run, std::span<const geometry::IsolatedParts> isolated = {});

/// The forest of trees that have a root cube each, with an axis for each of `infos`. Each axis must have an interval
/// with ends in one of the cubes. The whole root cube has all levels that there are by now; if it is that of every
/// tree, the trees share it.
forest::Forest forest_of(std::vector<forest::Root> own_roots, std::vector<forest::Tree> trees,
                         std::span<const schema::AxisInfo> infos);

}  // namespace pidforest::model
