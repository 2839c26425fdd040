// SPDX-License-Identifier: Apache-2.0
// The two passes over a node's sample rows that sampled cuts need, with the axes side by side in the lanes of a vector.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/sample.cpp"
#include "forest/sample.h"

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
      // Comparisons with NaN are false: missing values leave all three as they are.
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
  // A few axes at a time: whole cache lines, whether rows or columns lie side by side.
  for (std::size_t begin = 0; begin < n_axes_; begin += lanes_at_most)
    for (std::size_t i = 0; i < n_rows_; ++i)
      for (std::size_t axis = begin; axis < std::min(begin + lanes_at_most, n_axes_); ++axis) {
        const double x = rows.columns[axis][chosen[i]];
        has_missing_ |= std::isnan(x);
        values_[i * stride_ + axis] = x + 0.0;  // one zero, not two
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
