// SPDX-License-Identifier: Apache-2.0
// Vectors of sets of rows, the comparison of codes bit by bit, and tables that are looked up lane by lane. Included
// once per instruction set.
#if defined(PIDFOREST_FOREST_ROW_SETS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PIDFOREST_FOREST_ROW_SETS_INL_H_
#undef PIDFOREST_FOREST_ROW_SETS_INL_H_
#else
#define PIDFOREST_FOREST_ROW_SETS_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <cstdint>

#include "forest/row_block.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Sets = hn::CappedTag<RowSet, block_words>;

/// Makes a set of all rows or of none from 32 ones or zeros.
HWY_INLINE hn::Vec<Sets> all_or_none(std::uint32_t ones) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(Sets(), RowSet{ones} << 32U | ones);
#else
  return hn::BitCast(Sets(), hn::Set(hn::Repartition<std::uint32_t, Sets>(), ones));
#endif
}

/// Returns, bit by bit, the value that at least two of the three have.
///
/// A row reaches a cut if its code is at least the cut's code. This is decided from the lowest bit up. If the cut's bit
/// is one, the row's bit must be one and the row must have reached the lower bits; if it is zero, either suffices. That
/// is the majority of the row's bit, the result so far, and the inverted bit of the cut.
HWY_INLINE hn::Vec<Sets> majority(hn::Vec<Sets> a, hn::Vec<Sets> b, hn::Vec<Sets> c) {
#if HWY_TARGET == HWY_AVX3
  constexpr int truth_table = 0xE8;
  return {_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, truth_table)};  // one instruction instead of two
#else
  return hn::Or(hn::And(a, b), hn::And(c, hn::Or(a, b)));
#endif
}

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
