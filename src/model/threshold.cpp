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

/// A row with fewer bits is never an anomaly: its cubes are less than four times emptier than an even spread.
constexpr double too_few_bits = 2;
/// A row with more bits is always an anomaly: its cubes are more than sixteen times emptier.
constexpr double enough_bits = 4;
/// The tail of the scores begins at this quantile. A score beyond the tail by this share of the distance between tail
/// and median is an anomaly.
constexpr double tail_begins = 0.98;
constexpr double beyond_tail = 0.55;
/// A share s of the rows cannot have more than log2(1/s) bits each. If at least `rows_of_group` rows come within
/// `bits_short_of_most` of that bound, they are anomalies as a group.
constexpr double bits_short_of_most = 2;
constexpr std::size_t rows_of_group = 16;

double at_share(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

/// The bits above which a single row stands out from the tail.
double bits_beyond_tail(const std::vector<double>& sorted, const Options& options) {
  const double tail = at_share(sorted, tail_begins);
  const double start = forest::head_start(options);
  return std::clamp(tail + beyond_tail * (tail - at_share(sorted, 0.5)), start + too_few_bits, start + enough_bits);
}

/// The bits above which rows are nearly as sparse as that many rows can be; infinity if there is no such group.
double bits_of_sparse_group(const std::vector<double>& sorted) {
  const auto n = static_cast<double>(sorted.size());
  for (std::size_t i = 0; i + rows_of_group <= sorted.size(); ++i) {
    const double most = portable_log2(n / (n - static_cast<double>(i)));
    const double bits = std::max(most - bits_short_of_most, too_few_bits);
    if (sorted[i] > bits) return bits;
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

double threshold_for(std::vector<double> scores, const Options& options) {
  std::sort(scores.begin(), scores.end());
  if (options.contamination != Options::automatic_contamination) {
    const auto n_flagged = static_cast<std::size_t>(options.contamination * static_cast<double>(scores.size()));
    return scores[scores.size() - 1 - n_flagged];
  }
  const double alone = bits_beyond_tail(scores, options);
  // The bound on the bits of a group holds only for the mean.
  return options.aggregate == Aggregate::mean ? std::min(alone, bits_of_sparse_group(scores)) : alone;
}

}  // namespace pidforest::model
