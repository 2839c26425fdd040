// SPDX-License-Identifier: Apache-2.0
// Comparing the 64 values of a word with one number, as a set of rows. Included once per instruction set.
#if defined(PIDFOREST_FOREST_COMPARE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PIDFOREST_FOREST_COMPARE_INL_H
#undef PIDFOREST_FOREST_COMPARE_INL_H
#else
#define PIDFOREST_FOREST_COMPARE_INL_H
#endif

#include <hwy/highway.h>

#include "forest/row_block.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;

/// The rows whose values fulfil `predicate`, which takes a vector of values and returns a mask.
template <class Predicate>
HWY_INLINE RowSet rows_where(const double* values, const Predicate& predicate) {
  const Doubles d;
  RowSet rows = 0;
  for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
    std::uint8_t bits = 0;
    hn::StoreMaskBits(d, predicate(hn::LoadU(d, values + i)), &bits);
    rows |= RowSet{bits} << i;
  }
  return rows;
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
