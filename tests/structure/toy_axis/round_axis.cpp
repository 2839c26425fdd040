// SPDX-License-Identifier: Apache-2.0
#include "geometry/round_axis.h"

#include <cmath>
#include <utility>
#include <vector>

#include "geometry/ordered_axis.h"

namespace pidforest::geometry {

namespace {

/// A number with as few digits as possible that lies above `lower` and not above `upper`.
double round_between(double lower, double upper) {
  for (double step = std::pow(10, std::ceil(std::log10(upper - lower))); step > 0; step /= 10)
    if (const double rounded = std::floor(upper / step) * step; rounded > lower && rounded <= upper) return rounded;
  return upper;
}

/// The sampled cut, moved to a round number nearby.
double round_cut(const ValueRange& range, double share) {
  const double cut = sampled_cut(range, share);
  return range.can_be_cut() ? round_between(range.least + (cut - range.least) / 2, cut) : cut;
}

/// The children between the cuts, which are in increasing order.
Split split_between(std::vector<double> cuts, const Interval& interval) {
  Split split{.kind = AxisKind::round};
  double from = interval.low;
  for (const double cut : cuts) {
    split.shares.push_back(share_of(from, cut, interval));
    from = cut;
  }
  split.shares.push_back(share_of(from, interval.high, interval));
  split.cuts = std::move(cuts);
  set_aside_missing(split, interval);
  return split;
}

}  // namespace

void RoundAxis::lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const {
  lay_out_cells(sorted.values, interval, layout.cells);
}

Split RoundAxis::split_by(const NodeValues& sorted, const Interval& interval, const Layout& /*layout*/,
                          const Grouping& grouping) const {
  std::vector<double> cuts;
  for (std::size_t g = 1; g < static_cast<std::size_t>(grouping.n_groups); ++g) {
    const std::size_t first = grouping.first[g];
    cuts.push_back(round_between(sorted.values[first - 1], sorted.values[first]));
  }
  return split_between(std::move(cuts), interval);
}

SampledSides RoundAxis::sides_of(const Shown& shown, const Interval& /*interval*/, const Draws& draws) const {
  const auto& values = shown.node.values;
  if (values.empty()) return {};
  const ValueRange range = range_of(values);
  return sides_of_cut(range, round_cut(range, draws.cut), values);
}

Split RoundAxis::split_at(const Shown& shown, const Interval& interval, const Draws& draws) const {
  return split_between({round_cut(range_of(shown.node.values), draws.cut)}, interval);
}

}  // namespace pidforest::geometry
