// SPDX-License-Identifier: Apache-2.0
// A binary search for several values at once: all take the same steps, and no branch depends on them.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reasons/places.cpp"
#include "reasons/places.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "forest/row_sets-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::reasons::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using Integers = hn::RebindToSigned<Doubles>;

void FindPlaces(std::span<const double> bounds, std::span<const double> values, std::int64_t* places) {
  const Doubles d;
  const Integers di;
  for (std::size_t i = 0; i < values.size(); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, values.data() + i);
    auto place = hn::Zero(di);
    const auto step = [&](std::size_t n_skipped) HWY_ATTR {
      const auto last = hn::Add(place, hn::Set(di, static_cast<std::int64_t>(n_skipped) - 1));
      const auto is_reached = hn::Le(forest::HWY_NAMESPACE::gather(d, bounds.data(), last), x);
      const auto next = hn::Add(place, hn::Set(di, static_cast<std::int64_t>(n_skipped)));
      place = hn::IfThenElse(hn::RebindMask(di, is_reached), next, place);
    };
    std::size_t n_left = bounds.size();
    for (; n_left > 1; n_left -= n_left / 2) step(n_left / 2);
    step(1);
    hn::StoreU(place, di, places + i);
  }
}

}  // namespace pidforest::reasons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::reasons {

HWY_EXPORT(FindPlaces);

void find_places(std::span<const double> bounds, std::span<const double> values, std::span<std::int64_t> places) {
  HWY_DYNAMIC_DISPATCH(FindPlaces)(bounds, values, places.data());
}

}  // namespace pidforest::reasons
#endif  // HWY_ONCE
