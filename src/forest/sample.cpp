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

/// True if one vector holds the values of a group of axes in a row.
constexpr bool is_group_one_vector = hn::MaxLanes(Doubles()) == Sample::lanes_at_most;

/// Calls one(x) and other(y) with the vectors of some rows, so that not every operation waits for the one before it:
/// with two adjacent vectors of each row, or with two rows in turn if one vector holds a group of axes.
template <class One, class Other>
HWY_INLINE void for_each_pair(const double* values, std::span<const std::uint32_t> rows, const One& one,
                              const Other& other) {
  const Doubles d;
  constexpr std::size_t step = is_group_one_vector ? 2 : 1;
  std::size_t i = 0;
  for (; i + step <= rows.size(); i += step) {
    const double* row = values + rows[i] * Sample::lanes_at_most;
    one(hn::LoadU(d, row));
    other(hn::LoadU(d, is_group_one_vector ? values + rows[i + step - 1] * Sample::lanes_at_most : row + hn::Lanes(d)));
  }
  if (i < rows.size()) one(hn::LoadU(d, values + rows[i] * Sample::lanes_at_most));
}

/// The range of the values in each lane of a vector.
template <bool has_missing>
struct LaneRange {
  hn::Vec<Doubles> least;
  hn::Vec<Doubles> largest;
  hn::Vec<Doubles> present;

  HWY_INLINE LaneRange()
      : least(hn::Set(Doubles(), std::numeric_limits<double>::infinity())),
        largest(hn::Neg(least)),
        present(hn::Zero(Doubles())) {}
  HWY_INLINE void add(hn::Vec<Doubles> x) {
    least = smaller<has_missing>(x, least);
    largest = larger<has_missing>(x, largest);
    if constexpr (has_missing) present = hn::Add(present, hn::IfThenElseZero(hn::Eq(x, x), hn::Set(Doubles(), 1.0)));
  }
  HWY_INLINE void merge(const LaneRange& other) {
    least = hn::Min(other.least, least);
    largest = hn::Max(other.largest, largest);
    present = hn::Add(present, other.present);
  }
  HWY_INLINE void store(std::size_t n_rows, std::size_t axis, AxisRanges& ranges) const {
    const Doubles d;
    hn::StoreU(least, d, ranges.least.data() + axis);
    hn::StoreU(largest, d, ranges.largest.data() + axis);
    hn::StoreU(has_missing ? present : hn::Set(d, static_cast<double>(n_rows)), d, ranges.present.data() + axis);
  }
};

template <bool has_missing>
HWY_INLINE void find_range(const double* values, std::span<const std::uint32_t> rows, std::size_t axis,
                           AxisRanges& ranges) {
  LaneRange<has_missing> one;
  LaneRange<has_missing> other;
  for_each_pair(values, rows, [&](auto x) HWY_ATTR { one.add(x); }, [&](auto y) HWY_ATTR { other.add(y); });
  if constexpr (is_group_one_vector)
    one.merge(other);
  else
    other.store(rows.size(), axis + hn::Lanes(Doubles()), ranges);
  one.store(rows.size(), axis, ranges);
}

/// Places the cuts of the axes in a vector.
HWY_INLINE void place_cuts_at(std::size_t axis, const AxisRanges& ranges, const double* shares, double* cuts) {
  const Doubles d;
  const auto half = hn::Set(d, 0.5);
  const auto two = hn::Set(d, 2.0);
  const auto least = hn::LoadU(d, ranges.least.data() + axis);
  const auto largest = hn::LoadU(d, ranges.largest.data() + axis);
  const auto share = hn::LoadU(d, shares + axis);
  const auto length = hn::Sub(largest, least);
  const auto half_length = hn::Sub(hn::Mul(largest, half), hn::Mul(least, half));
  const auto far_cut = hn::Mul(hn::Sub(hn::Mul(largest, half), hn::Mul(share, half_length)), two);
  const auto cut = hn::IfThenElse(hn::IsFinite(length), hn::Sub(largest, hn::Mul(share, length)), far_cut);
  hn::StoreU(hn::IfThenElse(hn::Gt(cut, least), cut, largest), d, cuts + axis);
}

/// Counts the values below the cuts of the axes in two vectors, or in one if it holds a group.
HWY_INLINE void count_below_at(std::size_t axis, const Sample& sample, std::span<const std::uint32_t> rows,
                               const double* cuts, double* below) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> integers;
  const auto count = [&](auto is_below, auto n) HWY_ATTR {
    const auto mask = hn::RebindMask(integers, is_below);
    // The first is one instruction where masks are registers of their own; a true lane is -1 elsewhere.
    if constexpr (is_group_one_vector) return hn::IfThenElse(mask, hn::Add(n, hn::Set(integers, 1)), n);
    return hn::Sub(n, hn::VecFromMask(integers, mask));
  };
  const std::size_t other_axis = is_group_one_vector ? axis : axis + hn::Lanes(d);
  const auto cut = hn::LoadU(d, cuts + axis);
  const auto other_cut = hn::LoadU(d, cuts + other_axis);
  auto n = hn::Zero(integers);
  auto other_n = hn::Zero(integers);
  for_each_pair(
      sample.values(axis), rows, [&](auto x) HWY_ATTR { n = count(hn::Lt(x, cut), n); },
      [&](auto y) HWY_ATTR { other_n = count(hn::Lt(y, other_cut), other_n); });
  if constexpr (is_group_one_vector) n = other_n = hn::Add(n, other_n);
  hn::StoreU(hn::ConvertTo(d, n), d, below + axis);
  hn::StoreU(hn::ConvertTo(d, other_n), d, below + other_axis);
}

void PlaceCuts(const AxisRanges& ranges, std::span<const LaneGroup> groups, const double* shares, double* cuts) {
  for (const LaneGroup& group : groups)
    for (std::size_t lane = 0; lane < Sample::lanes_at_most; lane += hn::Lanes(Doubles()))
      place_cuts_at(group.first + lane, ranges, shares, cuts);
}

template <bool has_missing>
HWY_INLINE void cut_group(const Sample& sample, std::span<const std::uint32_t> rows, const LaneGroup& group,
                          bool has_ranges, SampleCuts& cuts) {
  const std::size_t n_lanes = hn::Lanes(Doubles());
  for (std::size_t axis = group.first; axis < group.first + Sample::lanes_at_most; axis += 2 * n_lanes) {
    if (!has_ranges) find_range<has_missing>(sample.values(axis), rows, axis, cuts.ranges);
    place_cuts_at(axis, cuts.ranges, cuts.shares.data(), cuts.cuts.data());
    if constexpr (!is_group_one_vector)
      place_cuts_at(axis + n_lanes, cuts.ranges, cuts.shares.data(), cuts.cuts.data());
    count_below_at(axis, sample, rows, cuts.cuts.data(), cuts.below.data());
  }
}

void CutGroups(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const LaneGroup> groups,
               bool has_ranges, SampleCuts& cuts) {
  for (const LaneGroup& group : groups)
    if (sample.has_missing())
      cut_group<true>(sample, rows, group, has_ranges, cuts);
    else
      cut_group<false>(sample, rows, group, has_ranges, cuts);
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

/// The operations of geometry::offer_of_cut and AxisChoice::key in the same order, with -ln(u) >= 1 - u.
void BoundKeys(const SampleCuts& cuts, std::span<const LaneGroup> groups, const double* uniforms, double power,
               double* bounds) {
  const Doubles d;
  const auto one = hn::Set(d, 1.0);
  const auto unbounded = hn::Set(d, std::numeric_limits<double>::infinity());
  const auto rounding = hn::Set(d, 1 + 1e-9);
  const bool is_bounded = power == 0.5 || power == 1;
  for (const LaneGroup& group : groups) {
    if (group.axes == 0) continue;
    for (std::size_t lane = 0; lane < Sample::lanes_at_most; lane += hn::Lanes(d)) {
      const std::size_t axis = group.first + lane;
      const auto least = hn::LoadU(d, cuts.ranges.least.data() + axis);
      const auto length = hn::Sub(hn::LoadU(d, cuts.ranges.largest.data() + axis), least);
      const auto p = hn::Div(hn::Sub(hn::LoadU(d, cuts.cuts.data() + axis), least), length);
      const auto q = hn::Div(hn::LoadU(d, cuts.below.data() + axis), hn::LoadU(d, cuts.ranges.present.data() + axis));
      const auto term = [](auto a, auto b) HWY_ATTR { return hn::Div(hn::Mul(a, a), b); };
      const auto gain = hn::Sub(hn::Add(term(p, q), term(hn::Sub(one, p), hn::Sub(one, q))), one);
      const auto raised = power == 0.5 ? hn::Sqrt(gain) : gain;
      const auto bound = hn::Div(hn::Mul(rounding, raised), hn::Sub(one, hn::LoadU(d, uniforms + axis)));
      hn::StoreU(is_bounded ? hn::IfThenElse(hn::IsFinite(length), bound, unbounded) : unbounded, d, bounds + axis);
    }
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

HWY_EXPORT(PlaceCuts);
HWY_EXPORT(CutGroups);
HWY_EXPORT(DropEven);
HWY_EXPORT(BoundKeys);
HWY_EXPORT(CopyVectors);

Sample::Sample(const Rows& rows, std::span<const std::size_t> chosen)
    : n_rows_(chosen.size()),
      n_axes_(rows.columns.size()),
      n_padded_axes_((n_axes_ + lanes_at_most - 1) / lanes_at_most * lanes_at_most),
      group_size_(n_rows_ + 1),
      memory_(std::make_unique_for_overwrite<std::byte[]>(n_padded_axes_ / lanes_at_most * group_size_ * sizeof(Lanes) +
                                                          alignof(Lanes))) {
  void* first = memory_.get();
  std::size_t n_bytes = n_padded_axes_ / lanes_at_most * group_size_ * sizeof(Lanes) + alignof(Lanes);
  values_ = static_cast<Lanes*>(std::align(alignof(Lanes), n_bytes - alignof(Lanes), first, n_bytes));
  for (std::size_t axis = n_axes_; axis < n_padded_axes_; ++axis)
    for (std::size_t i = 0; i < n_rows_; ++i)
      values_[place(i, axis)][axis % lanes_at_most] = std::numeric_limits<double>::quiet_NaN();
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
    has_missing_ |=
        HWY_DYNAMIC_DISPATCH(CopyVectors)(row(i), n_groups, values_[place(i, 0)].data(), group_size_ * lanes_at_most);
    for (std::size_t axis = n_groups * lanes_at_most; axis < n_axes_; ++axis) set(i, axis, row(i)[axis]);
  }
}

void Sample::set(std::size_t row, std::size_t axis, double x) {
  has_missing_ |= std::isnan(x);
  values_[place(row, axis)][axis % lanes_at_most] = x + 0.0;  // turns -0 into 0
}

void Sample::clamp(std::span<const geometry::IsolatedParts> isolated) {
  for (std::size_t axis = 0; axis < isolated.size(); ++axis) {
    const double low = isolated[axis].core_low();
    const double high = isolated[axis].core_high();
    if (std::isinf(low) && std::isinf(high)) continue;
    for (std::size_t row = 0; row < n_rows_; ++row)
      if (double& x = values_[place(row, axis)][axis % lanes_at_most]; !std::isnan(x)) x = std::clamp(x, low, high);
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

AxisRanges::AxisRanges(std::size_t n) : least(n), largest(n), present(n) {}

void place_cuts(const AxisRanges& ranges, std::span<const LaneGroup> groups, std::span<const double> shares,
                std::span<double> cuts) {
  HWY_DYNAMIC_DISPATCH(PlaceCuts)(ranges, groups, shares.data(), cuts.data());
}

void cut_groups(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const LaneGroup> groups,
                bool has_ranges, SampleCuts& cuts) {
  HWY_DYNAMIC_DISPATCH(CutGroups)(sample, rows, groups, has_ranges, cuts);
}

void drop_even(const AxisRanges& ranges, std::span<const double> cuts, std::span<const double> below, double gate,
               std::span<LaneGroup> groups) {
  HWY_DYNAMIC_DISPATCH(DropEven)(ranges, cuts.data(), below.data(), gate, groups);
}

void bound_keys(const SampleCuts& cuts, std::span<const LaneGroup> groups, std::span<const double> uniforms,
                double power, std::span<double> bounds) {
  HWY_DYNAMIC_DISPATCH(BoundKeys)(cuts, groups, uniforms.data(), power, bounds.data());
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
