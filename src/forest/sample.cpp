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

void FindRanges(const Sample& sample, std::span<const std::uint32_t> rows, AxisRanges& ranges) {
  const Doubles d;
  const auto infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  const auto one = hn::Set(d, 1.0);
  for (std::size_t axis = 0; axis < sample.stride(); axis += hn::Lanes(d)) {
    auto least = infinity;
    auto largest = hn::Neg(infinity);
    auto present = hn::Zero(d);
    const double* values = sample.values() + axis;
    for (const std::uint32_t row : rows) {
      const auto x = hn::LoadU(d, values + row * sample.stride());
      // Comparisons with NaN are false, so missing values change none of the three.
      least = hn::IfThenElse(hn::Lt(x, least), x, least);
      largest = hn::IfThenElse(hn::Gt(x, largest), x, largest);
      if (sample.has_missing()) present = hn::Add(present, hn::IfThenElseZero(hn::Eq(x, x), one));
    }
    if (!sample.has_missing()) present = hn::Set(d, static_cast<double>(rows.size()));
    hn::StoreU(least, d, ranges.least.data() + axis);
    hn::StoreU(largest, d, ranges.largest.data() + axis);
    hn::StoreU(present, d, ranges.present.data() + axis);
  }
}

void CountBelow(const Sample& sample, std::span<const std::uint32_t> rows, const double* cuts, double* below) {
  const Doubles d;
  const auto one = hn::Set(d, 1.0);
  for (std::size_t axis = 0; axis < sample.stride(); axis += hn::Lanes(d)) {
    const auto cut = hn::LoadU(d, cuts + axis);
    auto count = hn::Zero(d);
    const double* values = sample.values() + axis;
    for (const std::uint32_t row : rows) {
      const auto x = hn::LoadU(d, values + row * sample.stride());
      count = hn::Add(count, hn::IfThenElseZero(hn::Lt(x, cut), one));
    }
    hn::StoreU(count, d, below + axis);
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(FindRanges);
HWY_EXPORT(CountBelow);

Sample::Sample(const Rows& rows, std::span<const std::size_t> chosen)
    : n_rows_(chosen.size()),
      n_axes_(rows.columns.size()),
      stride_((n_axes_ + lanes_at_most - 1) / lanes_at_most * lanes_at_most),
      values_(n_rows_ * stride_, std::numeric_limits<double>::quiet_NaN()) {
  const auto keep = [&](std::size_t i, std::size_t axis, double x) {
    values_[i * stride_ + axis] = x + 0.0;  // turns -0 into 0
    return x != x;
  };
  // Reads in memory order.
  bool has_missing = false;
  if (rows.are_contiguous()) {
    const auto row = [&](std::size_t i) {
      return &rows.columns[0].first[static_cast<std::ptrdiff_t>(chosen[i]) * rows.columns[0].stride];
    };
    for (std::size_t i = 0; i < n_rows_ && n_axes_ > 0; ++i) {
      const double* values = row(i);
      const double* ahead = row(std::min(i + 2, n_rows_ - 1));
      for (std::size_t axis = 0; axis < n_axes_; ++axis) {
        if (axis % lanes_at_most == 0) hwy::Prefetch(ahead + axis);
        has_missing |= keep(i, axis, values[axis]);
      }
    }
  } else {
    for (std::size_t axis = 0; axis < n_axes_; ++axis)
      for (std::size_t i = 0; i < n_rows_; ++i) has_missing |= keep(i, axis, rows.columns[axis][chosen[i]]);
  }
  has_missing_ = has_missing;
}

void Sample::clamp(std::span<const geometry::IsolatedParts> isolated) {
  for (std::size_t axis = 0; axis < isolated.size(); ++axis) {
    if (isolated[axis].empty()) continue;
    const double low = isolated[axis].core_low();
    const double high = isolated[axis].core_high();
    for (std::size_t i = axis; i < values_.size(); i += stride_)
      if (!std::isnan(values_[i])) values_[i] = std::clamp(values_[i], low, high);
  }
}

void find_ranges(const Sample& sample, std::span<const std::uint32_t> rows, AxisRanges& ranges) {
  ranges.least.resize(sample.stride());
  ranges.largest.resize(sample.stride());
  ranges.present.resize(sample.stride());
  HWY_DYNAMIC_DISPATCH(FindRanges)(sample, rows, ranges);
}

void count_below(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const double> cuts,
                 std::span<double> below) {
  HWY_DYNAMIC_DISPATCH(CountBelow)(sample, rows, cuts.data(), below.data());
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
