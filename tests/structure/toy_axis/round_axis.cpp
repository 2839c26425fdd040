// SPDX-License-Identifier: Apache-2.0
#include "geometry/round_axis.h"

#include <cmath>

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

}  // namespace

void RoundAxis::lay_out(const NodeValues& sorted, const Interval& interval, Layout& layout) const {
  lay_out_cells(sorted.values, interval, layout.cells);
}

Split RoundAxis::split_by(const NodeValues& sorted, const Interval& interval, const Layout& /*layout*/,
                          const Grouping& grouping) const {
  Split split{.kind = AxisKind::round};
  double from = interval.low;
  for (std::size_t g = 1; g < static_cast<std::size_t>(grouping.n_groups); ++g) {
    const std::size_t first = grouping.first[g];
    const double cut = round_between(sorted.values[first - 1], sorted.values[first]);
    split.cuts.push_back(cut);
    split.shares.push_back(share_of(from, cut, interval));
    from = cut;
  }
  split.shares.push_back(share_of(from, interval.high, interval));
  set_aside_missing(split, interval);
  return split;
}

SampledSides RoundAxis::sides_of(const Shown& shown, const Interval& /*interval*/, const Draws& draws) const {
  const auto& values = shown.node.values;
  if (values.empty()) return {};
  const ValueRange range = range_of(values);
  return sides_of_cut(range, round_cut(range, draws.cut), values);
}

Split RoundAxis::split_at(const Shown& shown, const Interval& interval, const Draws& draws) const {
  const ValueRange range = range_of(shown.node.values);
  Split split = geometry::split_at(interval, range, round_cut(range, draws.cut));
  split.kind = AxisKind::round;
  return split;
}

}  // namespace pidforest::geometry
