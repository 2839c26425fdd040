// SPDX-License-Identifier: Apache-2.0
// What a fit begins with: which axes there are, and the interval that each has in the root cube.
#pragma once

#include <cstddef>
#include <vector>

#include "data/encode.h"
#include "forest/grow.h"
#include "geometry/interval.h"
#include "pidforest/options.h"
#include "pidforest/run.h"
#include "pidforest/table.h"

namespace pidforest {

struct Roots {
  /// Which of the encoder's axes each axis is.
  std::vector<std::size_t> axis_order;
  forest::Axes axes;
  std::vector<geometry::Interval> intervals;
};

/// One axis per axis of the encoder that has a value, those that vary before those that do not: a constant column then
/// leaves the numbers of the others, and with them their random draws, as they are.
Roots find_roots(const std::vector<data::AxisInfo>& infos, const Table& encoded, const Options& options,
                 const Run& run);

}  // namespace pidforest
