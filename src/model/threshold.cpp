// SPDX-License-Identifier: Apache-2.0
#include "model/threshold.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "forest/aggregate.h"
#include "geometry/logarithm.h"

namespace pidforest::model {

using geometry::portable_log2;

namespace {

/// A single row with fewer bits does not stand out: its cubes are less than four times emptier than an even spread.
constexpr double too_few_bits = 2;
/// A row with more bits is always an anomaly: its cubes are more than sixteen times emptier.
constexpr double enough_bits = 4;
/// The tail of the scores begins at this quantile. A score beyond the tail by this share of the distance between tail
/// and median is an anomaly.
constexpr double tail_begins = 0.98;
constexpr double beyond_tail = 0.55;
/// A group of anomalies has at least this many rows, and at most this share of all rows.
constexpr std::size_t rows_of_group = 16;
constexpr double most_in_group = 0.125;
/// A group lies behind a valley: a range of scores with at most half as many rows. It is as wide as this share of the
/// distance between the median and the quantile `body_ends`, and at least `least_width`.
constexpr double body_ends = 0.9;
constexpr double width_of_valley = 0.75;
constexpr double least_width = 3;
/// A share s of the rows cannot have more than log2(1/s) bits each. A valley of `narrow_width` suffices for a group
/// that comes within `bits_short_of_most` of that bound and has at least `bits_of_sparse_group` bits.
constexpr double bits_short_of_most = 2;
constexpr double bits_of_sparse_group = 2;
constexpr double narrow_width = 2;
/// The scores of a few discrete columns have gaps everywhere: fewer different scores above the median show no valley.
constexpr std::size_t scores_before_valley = 16;

double at_share(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

/// The bits above which a single row stands out from the tail.
double bits_beyond_tail(const std::vector<double>& sorted, const Options& options) {
  const double tail = at_share(sorted, tail_begins);
  const double start = forest::head_start(options);
  return std::clamp(tail + beyond_tail * (tail - at_share(sorted, 0.5)), start + too_few_bits, start + enough_bits);
}

/// Whether rows with at least `bits` are nearly as sparse as this share of the rows can be.
bool is_sparse_group(double bits, double share) {
  return bits >= std::max(-portable_log2(share) - bits_short_of_most, bits_of_sparse_group);
}

/// The bits above which a group of rows lies behind a valley; infinity if there is no such group. In the tail of
/// regular data, more rows lie just below a score than above it.
double bits_before_group(const std::vector<double>& sorted, const Options& options) {
  const std::size_t n = sorted.size();
  const double spread = at_share(sorted, body_ends) - at_share(sorted, 0.5);
  const double wide = std::max(width_of_valley * spread, least_width);
  const auto upper_half = sorted.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::size_t n_different = 0;
  for (std::size_t i = n / 2 + 1; i + rows_of_group <= n; ++i) {
    if (sorted[i] == sorted[i - 1]) continue;
    const double share = static_cast<double>(n - i) / static_cast<double>(n);
    if (++n_different <= scores_before_valley || share > most_in_group) continue;
    // The bound on the bits of a group holds only for the mean.
    const bool is_sparse = options.aggregate == Aggregate::mean && is_sparse_group(sorted[i], share);
    const double bottom = sorted[i] - (is_sparse ? narrow_width : wide);
    const auto group = sorted.begin() + static_cast<std::ptrdiff_t>(i);
    if (2 * (group - std::lower_bound(upper_half, group, bottom)) <= sorted.end() - group) return sorted[i - 1];
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

double threshold_for(std::vector<double> scores, const Options& options, ScoredBy scored_by) {
  std::sort(scores.begin(), scores.end());
  if (options.contamination != Options::automatic_contamination) {
    const auto n_flagged = static_cast<std::size_t>(options.contamination * static_cast<double>(scores.size()));
    return scores[scores.size() - 1 - n_flagged];
  }
  const double bits = std::min(bits_beyond_tail(scores, options), bits_before_group(scores, options));
  return scored_by == ScoredBy::one_forest ? bits : std::max(bits, forest::head_start(options) + too_few_bits);
}

}  // namespace pidforest::model
