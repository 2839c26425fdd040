// SPDX-License-Identifier: Apache-2.0
// Puts the samples of a series in the order of time, without mixing what a clock that was set back says twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pidforest/series.h"
#include "series/series_samples.h"

namespace pidforest::series {

/// Sorts the places of one series, which are a range of `places`, by their times; equal times keep their order. Where
/// the clock was set back, `starts` of the place is set, and samples from both sides are not mixed. A clock counts as
/// set back where at least 2 successive samples have times that as many samples before them have, and samples go on in
/// order from there: 16 of them, or all that are left. Adds to `order`.
void sort_by_time(std::span<const std::int64_t> times, Segment series, std::vector<std::size_t>& places,
                  std::vector<bool>& starts, SampleOrder& order);

}  // namespace pidforest::series
