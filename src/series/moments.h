// SPDX-License-Identifier: Apache-2.0
// Means and deviations over the last samples of a series.
#pragma once

#include <cstddef>
#include <span>

namespace pidforest::series {

struct SpanMoments {
  double mean = 0;
  double deviation = 0;
};

/// The moments over the last samples, for each of some spans, which increase. `last` is the latest sample, and the
/// `n_before` samples before it in memory are of its segment. Missing values do not count, nor do places before the
/// segment; where these are more than half of the span, the moments are NaN. A function of these samples only: batches
/// of any size give equal results.
void moments_of_last(const double* last, std::size_t n_before, std::span<const std::size_t> spans,
                     std::span<SpanMoments> moments);

}  // namespace pidforest::series
