// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/group_sets.cpp"
#include "pairs/group_sets.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace pidforest::pairs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void FindGroups(const double* values, std::size_t n_words, std::span<const Group> groups, forest::BlockSet* sets) {
  const hn::CappedTag<double, 8> d;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto low = hn::Set(d, groups[i].low);
    // No value reaches NaN: an open end holds even infinity.
    const bool is_open = groups[i].high == std::numeric_limits<double>::infinity();
    const auto high = hn::Set(d, is_open ? std::numeric_limits<double>::quiet_NaN() : groups[i].high);
    sets[i] = {};
    for (std::size_t row = 0; row < n_words * forest::word_rows; row += hn::Lanes(d)) {
      const auto x = hn::LoadU(d, values + row);
      std::uint8_t bits = 0;
      hn::StoreMaskBits(d, hn::AndNot(hn::Ge(x, high), hn::Ge(x, low)), &bits);
      sets[i][row / forest::word_rows] |= forest::RowSet{bits} << (row % forest::word_rows);
    }
  }
}

}  // namespace pidforest::pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::pairs {

HWY_EXPORT(FindGroups);

void find_groups(const double* values, std::size_t n_words, std::span<const Group> groups, forest::BlockSet* sets) {
  HWY_DYNAMIC_DISPATCH(FindGroups)(values, n_words, groups, sets);
}

}  // namespace pidforest::pairs
#endif  // HWY_ONCE
