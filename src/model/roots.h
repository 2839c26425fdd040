// SPDX-License-Identifier: Apache-2.0
// What a fit begins with: which axes there are, and the interval that each has in the root cube.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/grow.h"
#include "geometry/interval.h"
#include "pidforest/options.h"
#include "pidforest/table.h"
#include "schema/encoded_table.h"
#include "table/column_ranges.h"

namespace pidforest::model {

struct Roots {
  /// Which of the encoder's axes each axis is.
  std::vector<std::size_t> axis_order;
  forest::Axes axes;
  std::vector<geometry::Interval> intervals;
};

/// Widens the range of each axis by the rows of a batch. Throws InvalidInput for an infinite value.
void widen_ranges(const Table& encoded, const Run& run, std::vector<table::ColumnRange>& ranges);

/// One axis per axis of the encoder that has a value in one of the rows, those that vary before those that do not: a
/// constant column then leaves the numbers of the others, and with them their random draws, as they are. `next` is
/// empty, or root intervals of numbers reach half a gap beyond their ends.
Roots make_roots(std::span<const schema::AxisInfo> infos, std::span<const table::ColumnRange> ranges,
                 std::span<const table::NextValues> next, std::size_t n_rows);

/// The same for all rows, which it goes through again where the options ask for half a gap.
Roots find_roots(const schema::EncodedBatches& encoded, const std::vector<table::ColumnRange>& ranges,
                 const Options& options, const Run& run);

}  // namespace pidforest::model
