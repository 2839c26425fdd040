// SPDX-License-Identifier: Apache-2.0
// Splits of an axis of numbers: an interval is low <= x < high and its length is high - low.
#pragma once

#include <cstddef>
#include <span>

#include "geometry/axis.h"
#include "geometry/interval.h"
#include "geometry/partition.h"

namespace pidforest::geometry {

/// The values that a node's sample rows have on an axis: the least, the largest, how many, and how many are missing.
struct ValueRange {
  double least = 0;
  double largest = 0;
  std::size_t present = 0;
  std::size_t missing = 0;

  [[nodiscard]] bool can_be_cut() const { return least < largest; }
};

/// The cut at `share` of the way back from the largest value to the least; above the least, at most the largest.
double sampled_cut(const ValueRange& range, double share);

/// How large a likelihood ratio must be before an even spread is refused as the explanation: for one question (how many
/// values are below the cut) and, at the same level of significance, for two (and how many are missing).
struct Gate {
  explicit Gate(double gate);
  double one;
  double two;
};

/// What a sampled cut offers.
struct SampledOffer {
  /// The variance of sparsity over the range of the values; 0 if the gate refuses the cut.
  double gain = 0;
  /// False where the missing values are the stronger evidence: then they alone are set apart.
  bool cuts_values = true;
};

/// The offer of a cut with `below` of the present values below it, on an axis with `missing_share` of its length
/// missing.
SampledOffer offer_of_cut(const ValueRange& range, double missing_share, double cut, std::size_t below,
                          const Gate& gate);

/// The children of a sampled cut: the empty margins of `interval` beyond the values are children of their own.
Split split_at(const Interval& interval, const ValueRange& range, double cut);
/// The values as one child and the missing ones as the other.
Split split_off_missing(const Interval& interval);

/// Lays out the node's values as cells, borders halfway between neighbours. `values` are the present ones, increasing.
void lay_out_cells(std::span<const double> values, const Interval& interval, Cells& cells);

/// The value p^2 / q summed over all children minus 1, from the same sum over the value children.
/// A side without sample rows is left out, as a margin is.
double gain_with_missing(double value, const ValueRange& range, double missing_share);

/// The children of a grouping of the cells of `values`.
Split split_by(std::span<const double> values, const Interval& interval, const Grouping& grouping);

}  // namespace pidforest::geometry
