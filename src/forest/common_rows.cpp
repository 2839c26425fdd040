// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/common_rows.cpp"
#include "forest/common_rows.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <bit>

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

std::size_t NCommon(std::span<const std::uint64_t> a, const std::uint64_t* b) {
  int n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) n += std::popcount(a[i] & b[i]);
  return static_cast<std::size_t>(n);
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(NCommon);

std::size_t n_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  return HWY_DYNAMIC_DISPATCH(NCommon)(a, b.data());
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
