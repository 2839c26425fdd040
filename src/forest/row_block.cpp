// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/row_block.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>

#include "forest/compare-inl.h"
#include "forest/row_block.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

void FindExceptions(const double* values, const geometry::Interval& root, std::size_t n_words, RowSet* missing,
                    RowSet* outside) {
  const auto low = hn::Set(Doubles(), root.low);
  const auto high = hn::Set(Doubles(), root.high);
  for (std::size_t word = 0; word < n_words; ++word, values += word_rows) {
    missing[word] = rows_where(values, [](auto x) HWY_ATTR { return hn::Ne(x, x); });
    outside[word] |= rows_where(values, [&](auto x) HWY_ATTR { return hn::Or(hn::Lt(x, low), hn::Gt(x, high)); });
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(FindExceptions);

RowBlock::RowBlock(std::span<const geometry::Interval> root)
    : root_(root), copies_(root.size() * block_rows), columns_(root.size()) {}

void RowBlock::load(const Rows& rows, std::size_t begin) {
  n_rows_ = std::min(block_rows, rows.n - begin);
  outside_ = {};
  double* copy = copies_.data();
  for (std::size_t axis = 0; axis < root_.size(); ++axis) {
    const StridedColumn& column = rows.columns[axis];
    const double* first = column.first + static_cast<std::ptrdiff_t>(begin) * column.stride;
    if (column.stride == 1 && n_rows_ == block_rows) {
      columns_[axis].values = first;
    } else {
      for (std::size_t i = 0; i < n_rows_; ++i) copy[i] = first[static_cast<std::ptrdiff_t>(i) * column.stride];
      columns_[axis].values = copy;
    }
    copy += block_rows;
    HWY_DYNAMIC_DISPATCH(FindExceptions)
    (columns_[axis].values, root_[axis], n_words(), columns_[axis].missing.data(), outside_.data());
  }
  for (std::size_t word = 0; word < n_words(); ++word) outside_[word] &= this->rows(word);
}

RowSet RowBlock::rows(std::size_t word) const {
  const std::size_t left = n_rows_ - word * word_rows;
  return left >= word_rows ? ~RowSet{0} : (RowSet{1} << left) - 1;
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
