// SPDX-License-Identifier: Apache-2.0
// The two passes over a node's sample rows that sampled cuts need, with the axes in the lanes of a vector.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/sample.cpp"
#include "forest/sample.h"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, Sample::lanes_at_most>;

/// The smaller and the larger of two numbers; `best` if x is missing.
template <bool has_missing, class V>
HWY_INLINE V smaller(V x, V best) {
  // Comparisons with NaN are false. Min is faster, but has no defined result for NaN.
  if constexpr (has_missing) return hn::IfThenElse(hn::Lt(x, best), x, best);
  return hn::Min(x, best);
}
template <bool has_missing, class V>
HWY_INLINE V larger(V x, V best) {
  if constexpr (has_missing) return hn::IfThenElse(hn::Gt(x, best), x, best);
  return hn::Max(x, best);
}

/// Takes two rows at a time, so that not every operation waits for the one before it.
template <bool has_missing>
HWY_INLINE void find_range(const double* values, std::span<const std::uint32_t> rows, std::size_t axis,
                           AxisRanges& ranges) {
  const Doubles d;
  const auto infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  const auto one = hn::Set(d, 1.0);
  auto least = infinity;
  auto largest = hn::Neg(infinity);
  auto other_least = least;
  auto other_largest = largest;
  auto present = hn::Zero(d);
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    const auto x = hn::LoadU(d, values + rows[i] * Sample::lanes_at_most);
    const std::size_t next = std::min(i + 1, rows.size() - 1);
    const auto y = hn::LoadU(d, values + rows[next] * Sample::lanes_at_most);
    least = smaller<has_missing>(x, least);
    largest = larger<has_missing>(x, largest);
    other_least = smaller<has_missing>(y, other_least);
    other_largest = larger<has_missing>(y, other_largest);
    if constexpr (has_missing) {
      present = hn::Add(present, hn::IfThenElseZero(hn::Eq(x, x), one));
      if (next > i) present = hn::Add(present, hn::IfThenElseZero(hn::Eq(y, y), one));
    }
  }
  if constexpr (!has_missing) present = hn::Set(d, static_cast<double>(rows.size()));
  hn::StoreU(smaller<has_missing>(other_least, least), d, ranges.least.data() + axis);
  hn::StoreU(larger<has_missing>(other_largest, largest), d, ranges.largest.data() + axis);
  hn::StoreU(present, d, ranges.present.data() + axis);
}

/// Calls visit(first axis) for each vector of the groups.
template <class Visit>
HWY_INLINE void for_each_vector(std::span<const LaneGroup> groups, const Visit& visit) {
  for (const LaneGroup& group : groups)
    for (std::size_t lane = 0; lane < Sample::lanes_at_most; lane += hn::Lanes(Doubles())) visit(group.first + lane);
}

void FindRanges(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const LaneGroup> groups,
                AxisRanges& ranges) {
  for_each_vector(groups, [&](std::size_t axis) HWY_ATTR {
    if (sample.has_missing())
      find_range<true>(sample.values(axis), rows, axis, ranges);
    else
      find_range<false>(sample.values(axis), rows, axis, ranges);
  });
}

void PlaceCuts(const AxisRanges& ranges, std::span<const LaneGroup> groups, const double* shares, double* cuts) {
  const Doubles d;
  const auto half = hn::Set(d, 0.5);
  const auto two = hn::Set(d, 2.0);
  for_each_vector(groups, [&](std::size_t axis) HWY_ATTR {
    const auto least = hn::LoadU(d, ranges.least.data() + axis);
    const auto largest = hn::LoadU(d, ranges.largest.data() + axis);
    const auto share = hn::LoadU(d, shares + axis);
    const auto length = hn::Sub(largest, least);
    const auto half_length = hn::Sub(hn::Mul(largest, half), hn::Mul(least, half));
    const auto far_cut = hn::Mul(hn::Sub(hn::Mul(largest, half), hn::Mul(share, half_length)), two);
    const auto cut = hn::IfThenElse(hn::IsFinite(length), hn::Sub(largest, hn::Mul(share, length)), far_cut);
    hn::StoreU(hn::IfThenElse(hn::Gt(cut, least), cut, largest), d, cuts + axis);
  });
}

void CountBelow(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const LaneGroup> groups,
                const double* cuts, double* below) {
  const Doubles d;
  const auto one = hn::Set(d, 1.0);
  for_each_vector(groups, [&](std::size_t axis) HWY_ATTR {
    const auto cut = hn::LoadU(d, cuts + axis);
    auto count = hn::Zero(d);
    auto other_count = hn::Zero(d);
    const double* values = sample.values(axis);
    const auto is_below = [&](std::uint32_t row) HWY_ATTR {
      return hn::IfThenElseZero(hn::Lt(hn::LoadU(d, values + row * Sample::lanes_at_most), cut), one);
    };
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) {
      count = hn::Add(count, is_below(rows[i]));
      other_count = hn::Add(other_count, is_below(rows[i + 1]));
    }
    if (rows.size() % 2 != 0) count = hn::Add(count, is_below(rows.back()));
    hn::StoreU(hn::Add(count, other_count), d, below + axis);
  });
}

/// The operations of geometry::offer_of_cut and is_above_gate in the same order: they give the same numbers.
void DropEven(const AxisRanges& ranges, const double* cuts, const double* below, double gate,
              std::span<LaneGroup> groups) {
  const Doubles d;
  const auto one = hn::Set(d, 1.0);
  const auto two = hn::Set(d, 2.0);
  for (LaneGroup& group : groups) {
    unsigned uneven = 0;
    for (std::size_t lane = 0; lane < Sample::lanes_at_most; lane += hn::Lanes(d)) {
      const std::size_t axis = group.first + lane;
      const auto least = hn::LoadU(d, ranges.least.data() + axis);
      const auto length = hn::Sub(hn::LoadU(d, ranges.largest.data() + axis), least);
      const auto p = hn::Div(hn::Sub(hn::LoadU(d, cuts + axis), least), length);
      const auto n = hn::Sub(hn::LoadU(d, ranges.present.data() + axis), two);
      const auto excess = hn::Sub(hn::Div(hn::Sub(hn::LoadU(d, below + axis), one), n), p);
      const auto square = hn::Mul(hn::Mul(hn::Mul(two, n), excess), excess);
      const auto is_even = hn::Le(square, hn::Mul(hn::Mul(hn::Set(d, gate), p), hn::Sub(one, p)));
      // An axis with no length or two values offers nothing; the length of the longest ones is not finite.
      const auto is_still = hn::Or(hn::Eq(length, hn::Zero(d)), hn::Le(n, hn::Zero(d)));
      const auto is_far = hn::Not(hn::IsFinite(length));
      std::uint8_t bits = 0;
      hn::StoreMaskBits(d, hn::Or(is_far, hn::Not(hn::Or(is_even, is_still))), &bits);
      uneven |= static_cast<unsigned>(bits) << lane;
    }
    group.axes &= static_cast<std::uint8_t>(uneven);
  }
}

/// Copies whole vectors of a row, turning -0 into 0. Returns whether a value is missing.
bool CopyVectors(const double* from, std::size_t n_groups, double* to, std::size_t group_size) {
  const Doubles d;
  auto is_missing = hn::IsNaN(hn::Zero(d));
  for (std::size_t group = 0; group < n_groups; ++group, from += Sample::lanes_at_most, to += group_size)
    for (std::size_t lane = 0; lane < Sample::lanes_at_most; lane += hn::Lanes(d)) {
      const auto x = hn::LoadU(d, from + lane);
      is_missing = hn::Or(is_missing, hn::IsNaN(x));
      hn::StoreU(hn::Add(x, hn::Zero(d)), d, to + lane);
    }
  return !hn::AllFalse(d, is_missing);
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(FindRanges);
HWY_EXPORT(PlaceCuts);
HWY_EXPORT(CountBelow);
HWY_EXPORT(DropEven);

HWY_EXPORT(CopyVectors);

Sample::Sample(const Rows& rows, std::span<const std::size_t> chosen)
    : n_rows_(chosen.size()),
      n_axes_(rows.columns.size()),
      n_padded_axes_((n_axes_ + lanes_at_most - 1) / lanes_at_most * lanes_at_most),
      group_size_((n_rows_ + 1) * lanes_at_most),
      values_(std::make_unique_for_overwrite<double[]>(n_padded_axes_ / lanes_at_most * group_size_)) {
  for (std::size_t axis = n_axes_; axis < n_padded_axes_; ++axis)
    for (std::size_t i = 0; i < n_rows_; ++i) values_[place(i, axis)] = std::numeric_limits<double>::quiet_NaN();
  if (n_axes_ > 0 && rows.are_contiguous())
    copy_rows(rows.columns[0], chosen);
  else
    for (std::size_t axis = 0; axis < n_axes_; ++axis)
      for (std::size_t i = 0; i < n_rows_; ++i) set(i, axis, rows.columns[axis][chosen[i]]);
}

/// Reads in memory order.
void Sample::copy_rows(const StridedColumn& first, std::span<const std::size_t> chosen) {
  const auto row = [&](std::size_t i) { return first.first + static_cast<std::ptrdiff_t>(chosen[i]) * first.stride; };
  const std::size_t n_groups = n_axes_ / lanes_at_most;
  for (std::size_t i = 0; i < n_rows_; ++i) {
    const double* ahead = row(std::min(i + 2, n_rows_ - 1));
    for (std::size_t axis = 0; axis < n_axes_; axis += lanes_at_most) hwy::Prefetch(ahead + axis);
    has_missing_ |= HWY_DYNAMIC_DISPATCH(CopyVectors)(row(i), n_groups, &values_[place(i, 0)], group_size_);
    for (std::size_t axis = n_groups * lanes_at_most; axis < n_axes_; ++axis) set(i, axis, row(i)[axis]);
  }
}

void Sample::set(std::size_t row, std::size_t axis, double x) {
  has_missing_ |= std::isnan(x);
  values_[place(row, axis)] = x + 0.0;  // turns -0 into 0
}

void Sample::clamp(std::span<const geometry::IsolatedParts> isolated) {
  for (std::size_t axis = 0; axis < isolated.size(); ++axis) {
    if (isolated[axis].empty()) continue;
    const double low = isolated[axis].core_low();
    const double high = isolated[axis].core_high();
    for (std::size_t row = 0; row < n_rows_; ++row)
      if (double& x = values_[place(row, axis)]; !std::isnan(x)) x = std::clamp(x, low, high);
  }
}

std::vector<LaneGroup> lane_groups(std::span<const std::uint32_t> axes) {
  std::vector<LaneGroup> groups;
  for (const std::uint32_t axis : axes) {
    const std::uint32_t lane = axis % Sample::lanes_at_most;
    if (groups.empty() || groups.back().first != axis - lane) groups.push_back({.first = axis - lane});
    groups.back().axes |= static_cast<std::uint8_t>(1U << lane);
  }
  return groups;
}

void find_ranges(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const LaneGroup> groups,
                 AxisRanges& ranges) {
  ranges.least.resize(sample.n_padded_axes());
  ranges.largest.resize(sample.n_padded_axes());
  ranges.present.resize(sample.n_padded_axes());
  HWY_DYNAMIC_DISPATCH(FindRanges)(sample, rows, groups, ranges);
}

void place_cuts(const AxisRanges& ranges, std::span<const LaneGroup> groups, std::span<const double> shares,
                std::span<double> cuts) {
  HWY_DYNAMIC_DISPATCH(PlaceCuts)(ranges, groups, shares.data(), cuts.data());
}

void count_below(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const LaneGroup> groups,
                 std::span<const double> cuts, std::span<double> below) {
  HWY_DYNAMIC_DISPATCH(CountBelow)(sample, rows, groups, cuts.data(), below.data());
}

void drop_even(const AxisRanges& ranges, std::span<const double> cuts, std::span<const double> below, double gate,
               std::span<LaneGroup> groups) {
  HWY_DYNAMIC_DISPATCH(DropEven)(ranges, cuts.data(), below.data(), gate, groups);
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
