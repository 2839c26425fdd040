// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/row_block.cpp"
#include "forest/row_block.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#ifndef PIDFOREST_FOREST_ROW_BLOCK_TYPES
#define PIDFOREST_FOREST_ROW_BLOCK_TYPES
namespace pidforest::forest {

/// One axis of a block: its values, and what is found out about them.
struct ColumnToEncode {
  const double* values;
  std::size_t n_words;
  const CodeBook::AxisCuts* cuts;
  geometry::Interval root;
  BlockSet* missing;
  BlockSet* outside;
};

}  // namespace pidforest::forest
#endif

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;

template <class D, class Mask>
HWY_INLINE RowSet bits_of(D d, Mask mask) {
  std::uint8_t bits = 0;
  hn::StoreMaskBits(d, mask, &bits);
  return bits;
}

/// The number of cuts that each value reaches, in all lanes at once; NaN reaches none. The first steps of the binary
/// search compare with all their 15 cuts, which is faster than gathering one per lane.
template <class V>
HWY_INLINE auto codes_of(V x, const CodeBook::AxisCuts& axis) {
  const Doubles d;
  const hn::RebindToSigned<Doubles> di;
  const unsigned first_steps = std::min(axis.n_steps, 4U);
  unsigned step = axis.n_steps - first_steps;
  const auto stride = hn::Set(di, std::int64_t{1} << step);
  auto code = hn::Zero(di);
  for (std::size_t i = 1; i < (std::size_t{1} << first_steps); ++i) {
    const auto cut = hn::Set(d, axis.cuts[(i << step) - 1]);
    code = hn::Add(code, hn::IfThenElseZero(hn::RebindMask(di, hn::Ge(x, cut)), stride));
  }
  while (step-- > 0) {
    const auto middle = hn::Add(code, hn::Set(di, std::int64_t{1} << step));
    const auto cut = hn::GatherIndex(d, axis.cuts.data(), hn::Sub(middle, hn::Set(di, 1)));
    code = hn::IfThenElse(hn::RebindMask(di, hn::Ge(x, cut)), middle, code);
  }
  return code;
}

template <class Code>
void encode(const ColumnToEncode& column, Code* codes) {
  const Doubles d;
  const hn::RebindToUnsigned<Doubles> wide;
  const hn::Rebind<Code, Doubles> narrow;
  const hn::RebindToUnsigned<decltype(narrow)> truncated;
  const auto zero = hn::Set(narrow, std::numeric_limits<Code>::min());
  const auto low = hn::Set(d, column.root.low);
  const auto high = hn::Set(d, column.root.high);
  for (std::size_t word = 0; word < column.n_words; ++word) {
    RowSet missing = 0;
    RowSet outside = 0;
    for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
      const auto x = hn::LoadU(d, column.values + word * word_rows + i);
      missing |= bits_of(d, hn::IsNaN(x)) << i;
      outside |= bits_of(d, hn::Or(hn::Lt(x, low), hn::Gt(x, high))) << i;
      const auto code = hn::TruncateTo(truncated, hn::BitCast(wide, codes_of(x, *column.cuts)));
      hn::StoreU(hn::Xor(hn::BitCast(narrow, code), zero), narrow, codes + word * word_rows + i);
    }
    (*column.missing)[word] = missing;
    (*column.outside)[word] |= outside;
  }
}

void Encode8(const ColumnToEncode& column, std::int8_t* codes) { encode(column, codes); }
void Encode16(const ColumnToEncode& column, std::int16_t* codes) { encode(column, codes); }
void Encode32(const ColumnToEncode& column, std::int32_t* codes) { encode(column, codes); }

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(Encode8);
HWY_EXPORT(Encode16);
HWY_EXPORT(Encode32);

namespace {

void encode(const ColumnToEncode& column, std::int8_t* codes) { HWY_DYNAMIC_DISPATCH(Encode8)(column, codes); }
void encode(const ColumnToEncode& column, std::int16_t* codes) { HWY_DYNAMIC_DISPATCH(Encode16)(column, codes); }
void encode(const ColumnToEncode& column, std::int32_t* codes) { HWY_DYNAMIC_DISPATCH(Encode32)(column, codes); }

}  // namespace

template <class Code>
RowBlock<Code>::RowBlock(const CodeBook& book, std::span<const geometry::Interval> root)
    : book_(book), root_(root), codes_(root.size() * block_rows), missing_(root.size()) {}

template <class Code>
void RowBlock<Code>::load(const Rows& rows, std::size_t begin) {
  n_rows_ = std::min(block_rows, rows.n - begin);
  outside_ = {};
  RowSet missing = 0;
  const BlockSet there = this->rows();
  std::array<double, block_rows> copy{};
  for (std::size_t axis = 0; axis < root_.size(); ++axis) {
    const StridedColumn& column = rows.columns[axis];
    const double* values = column.first + static_cast<std::ptrdiff_t>(begin) * column.stride;
    if (column.stride != 1 || n_rows_ % word_rows != 0) {
      for (std::size_t i = 0; i < n_rows_; ++i) copy[i] = values[static_cast<std::ptrdiff_t>(i) * column.stride];
      values = copy.data();
    }
    encode({values, n_words(), &book_.axis(axis), root_[axis], &missing_[axis], &outside_},
           codes_.data() + axis * block_rows);
    for (std::size_t word = 0; word < block_words; ++word) missing |= missing_[axis][word] & there[word];
  }
  has_missing_ = missing != 0;
  for (std::size_t word = 0; word < block_words; ++word) outside_[word] &= there[word];
}

template <class Code>
BlockSet RowBlock<Code>::rows() const {
  BlockSet sets{};
  for (std::size_t word = 0; word < n_words(); ++word) {
    const std::size_t left = n_rows_ - word * word_rows;
    sets[word] = left >= word_rows ? ~RowSet{0} : (RowSet{1} << left) - 1;
  }
  return sets;
}

template class RowBlock<std::int8_t>;
template class RowBlock<std::int16_t>;
template class RowBlock<std::int32_t>;

}  // namespace pidforest::forest
#endif  // HWY_ONCE
