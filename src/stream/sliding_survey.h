// SPDX-License-Identifier: Apache-2.0
// What the buffered samples of a stream say about the axes of its rows, from which trees are grown.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "geometry/isolated.h"
#include "model/roots.h"
#include "pidforest/options.h"
#include "schema/encode.h"
#include "stream/sliding_rows.h"

namespace pidforest::stream {

/// The isolated parts of each axis; empty if there are none. They are found in all samples that rows can reach, and are
/// the same for all lags of a column. Rises have none: looking for them takes longer than growing trees, and the trees
/// see a jump without it.
std::vector<geometry::IsolatedParts> find_isolated(const SlidingRows& sliding,
                                                   const std::vector<schema::AxisInfo>& infos);

/// The root cube that the samples fill, with the axes of some features; all lags of a column have the same interval. A
/// column that does not vary has an axis for its last value only: earlier ones were the last of earlier rows, and its
/// rises say nothing more.
model::Roots find_roots(const SlidingRows& sliding, std::span<const std::size_t> features,
                        const std::vector<schema::AxisInfo>& infos, const Options& options,
                        std::span<const geometry::IsolatedParts> isolated);

}  // namespace pidforest::stream
