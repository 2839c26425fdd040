// SPDX-License-Identifier: Apache-2.0
// Loads one number per lane from a table. Included once per instruction set.
#if defined(PIDFOREST_FOREST_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PIDFOREST_FOREST_GATHER_INL_H_
#undef PIDFOREST_FOREST_GATHER_INL_H_
#else
#define PIDFOREST_FOREST_GATHER_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Returns table[index] for each lane. With AVX2, four loads take less time than the instruction for all lanes on the
/// AMD processors that were measured (Zen 3).
template <class D, class Indices>
HWY_INLINE hn::Vec<D> gather(D d, const double* table, Indices index) {
#if HWY_TARGET == HWY_AVX2
  if constexpr (hn::MaxLanes(D()) == 4) {
    alignas(32) std::array<std::int64_t, 4> i;
    hn::Store(index, hn::RebindToSigned<D>(), i.data());
    return hn::Vec<D>{_mm256_set_pd(table[i[3]], table[i[2]], table[i[1]], table[i[0]])};
  }
#endif
  return hn::GatherIndex(d, table, index);
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
