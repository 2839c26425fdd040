// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "geometry/outermost.cpp"
#include "geometry/outermost.h"

#include <hwy/cache_control.h>
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "system/per_thread.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::geometry::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void WidenLanes(const double* row, std::ptrdiff_t stride, std::size_t n_rows, ColumnLanes& lanes,
                std::uint8_t* beyond) {
  const hn::CappedTag<double, ColumnLanes::n> d;
  const auto one = hn::Set(d, 1.0);
  std::fill_n(beyond, n_rows, std::uint8_t{0});
  for (std::size_t lane = 0; lane < ColumnLanes::n; lane += hn::Lanes(d)) {
    const auto high_bar = hn::LoadU(d, lanes.high_bar.data() + lane);
    const auto low_bar = hn::LoadU(d, lanes.low_bar.data() + lane);
    auto least = hn::LoadU(d, lanes.least.data() + lane);
    auto largest = hn::LoadU(d, lanes.largest.data() + lane);
    auto n_missing = hn::LoadU(d, lanes.n_missing.data() + lane);
    const double* values = row + lane;
    for (std::size_t i = 0; i < n_rows; ++i, values += stride) {
      hwy::Prefetch(values + static_cast<std::ptrdiff_t>(n_rows) * stride);  // the next stretch
      const auto x = hn::LoadU(d, values);
      least = hn::IfThenElse(hn::Lt(x, least), x, least);  // comparisons with NaN are false
      largest = hn::IfThenElse(hn::Gt(x, largest), x, largest);
      n_missing = hn::Add(n_missing, hn::IfThenZeroElse(hn::Eq(x, x), one));
      std::uint8_t bits = 0;
      hn::StoreMaskBits(d, hn::Or(hn::Gt(x, high_bar), hn::Lt(x, low_bar)), &bits);
      beyond[i] = static_cast<std::uint8_t>(beyond[i] | bits << lane);
    }
    hn::StoreU(least, d, lanes.least.data() + lane);
    hn::StoreU(largest, d, lanes.largest.data() + lane);
    hn::StoreU(n_missing, d, lanes.n_missing.data() + lane);
  }
}

}  // namespace pidforest::geometry::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::geometry {

HWY_EXPORT(WidenLanes);

LargestValues::LargestValues(std::size_t n, double bar)
    : n_(n), bar_(n > 0 ? bar : std::numeric_limits<double>::infinity()) {}

bool LargestValues::are_above(double bar) const {
  const auto is_above = [&](double x) { return x > bar; };
  return static_cast<std::size_t>(std::ranges::count_if(values_, is_above)) >= n_;
}

void LargestValues::keep_largest() {
  std::ranges::nth_element(values_, values_.begin() + static_cast<std::ptrdiff_t>(n_ - 1), std::ranges::greater{});
  values_.resize(n_);
  bar_ = values_.back();
}

std::vector<double> LargestValues::sorted() const {
  std::vector<double> sorted = values_;
  sort_up(sorted);
  std::ranges::reverse(sorted);
  sorted.resize(std::min(sorted.size(), n_));
  for (double& x : sorted) x += 0.0;  // turns -0 into 0
  return sorted;
}

void sort_up(std::span<double> values) {
  static const system::PerThread<hwy::Sorter> sorters;  // may hold a buffer, so each thread has its own
  sorters()(values.data(), values.size(), hwy::SortAscending());
}

void widen_lanes(const double* row, std::ptrdiff_t stride, ColumnLanes& lanes, std::span<std::uint8_t> beyond) {
  HWY_DYNAMIC_DISPATCH(WidenLanes)(row, stride, beyond.size(), lanes, beyond.data());
}

}  // namespace pidforest::geometry
#endif  // HWY_ONCE
