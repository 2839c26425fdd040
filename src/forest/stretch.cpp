// SPDX-License-Identifier: Apache-2.0
#include "forest/stretch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "forest/route.h"
#include "geometry/logarithm.h"

namespace pidforest::forest {

using geometry::Interval;
using geometry::portable_log2;

namespace {

/// log2 of the length from `from` to `to`; works even if their difference overflows.
double log2_length(double from, double to) {
  const double length = to - from;
  return std::isfinite(length) ? portable_log2(length) : 1 + portable_log2(to / 2 - from / 2);
}

/// Returns the bits by which a part with `share` of the length of `whole` grows when it is stretched to x, which is
/// outside `whole`. An infinite x counts as the largest double.
double bits_to_reach(const Interval& whole, double share, double x) {
  constexpr double largest = std::numeric_limits<double>::max();
  const double reach = std::clamp(x, -largest, largest);
  const double from = x > whole.high ? whole.high : reach;
  const double to = x > whole.high ? reach : whole.low;
  const double distance = geometry::share_of(from, to, whole);
  if (std::isfinite(distance)) return portable_log2(share + distance) - portable_log2(share);
  return log2_length(from, to) - log2_length(whole.low, whole.high) - portable_log2(share);
}

/// Returns the share of `whole` that the row's leaf covers on an axis on which the row is outside `whole`.
double share_of_leaf(const Tree& tree, const Rows& rows, std::size_t row, std::size_t axis, const Interval& whole) {
  Interval part = whole;
  const double x = rows.columns[axis][row];
  for (std::uint32_t number = 0;;) {
    const std::uint32_t child = child_towards(tree, number, rows, row);
    if (child == number) break;
    const Node& node = tree.nodes[number];
    if (node.axis == axis && node.n_cuts > 0) {
      if (x > whole.high) part.low = tree.cuts[node.first_cut + node.n_cuts - 1];
      if (x < whole.low) part.high = tree.cuts[node.first_cut];
    }
    number = child;
  }
  return geometry::floored_share(geometry::share_of(part.low, part.high, whole));
}

}  // namespace

void find_outside(std::span<const Interval> root, std::span<const geometry::IsolatedParts> isolated, const Rows& rows,
                  std::size_t row, std::vector<OutsidePlace>& places) {
  for (std::size_t axis = 0; axis < root.size(); ++axis) {
    const double x = rows.columns[axis][row];
    const bool is_outside = x < root[axis].low || x > root[axis].high;
    const bool joins_rows = !isolated.empty() && isolated[axis].joins_rows(x);
    if (is_outside && !root[axis].has_levels() && !joins_rows) places.push_back({row, axis});
  }
}

double isolated_bits(std::span<const geometry::IsolatedParts> isolated, const Rows& rows, std::size_t row) {
  double most = 0;
  for (std::size_t axis = 0; axis < isolated.size(); ++axis)
    most = std::max(most, isolated_bits(isolated, axis, rows.columns[axis][row]));
  return most;
}

double stretch_bits(std::span<const Interval> root, const Tree& tree, const Rows& rows, const OutsidePlace& place) {
  const auto [row, axis] = place;
  const Interval& whole = root[axis];
  // A constant column has no length to measure by, so the first row off it is as sparse as possible.
  if (whole.low == whole.high) return whole.bits_off.value_or(-portable_log2(geometry::smallest_share));
  return bits_to_reach(whole, share_of_leaf(tree, rows, row, axis, whole), rows.columns[axis][row]);
}

void OutsideRows::set(const RowBlock& block, std::size_t begin) {
  candidates_.clear();
  for (std::size_t word = 0; word < block_words; ++word)
    for (RowSet left = block.outside()[word]; left != 0; left &= left - 1)
      candidates_.push_back(begin + word * word_rows + static_cast<std::size_t>(std::countr_zero(left)));
}

void OutsideRows::set_all(const Rows& rows) {
  candidates_.resize(rows.n);
  std::iota(candidates_.begin(), candidates_.end(), std::size_t{0});
}

std::span<const OutsidePlace> OutsideRows::places(const Rows& rows, std::size_t tree) {
  if (tree > 0 && forest_.own_roots.empty()) return places_;
  places_.clear();
  for (const std::size_t row : candidates_) find_outside(forest_.root_of(tree), forest_.isolated, rows, row, places_);
  return places_;
}

}  // namespace pidforest::forest
