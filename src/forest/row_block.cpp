// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/row_block.cpp"
#include "forest/row_block.h"

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "forest/row_sets-inl.h"

#ifndef PIDFOREST_FOREST_ROW_BLOCK_TYPES
#define PIDFOREST_FOREST_ROW_BLOCK_TYPES
namespace pidforest::forest {

/// One axis of a block: its values, and the outputs of encoding.
struct ColumnToEncode {
  const double* values;
  std::size_t n_words;
  const CodeBook::AxisCuts* axis;
  double low;
  double high;
  /// Destinations of the codes: as sets of bits, and as plain numbers. At least one of them is not null.
  BlockSet* bits;
  std::uint32_t* codes;
  BlockSet* missing;
  BlockSet* outside;
};

}  // namespace pidforest::forest
#endif

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::CappedTag<double, 8>;
using Integers = hn::RebindToSigned<Doubles>;

template <class D, class Mask>
HWY_INLINE RowSet bits_of(D d, Mask mask) {
  std::uint8_t bits = 0;
  hn::StoreMaskBits(d, mask, &bits);
  return bits;
}

/// Returns the code with one more bit: whether the value reaches the cut.
template <class Mask>
HWY_INLINE hn::Vec<Integers> next_code(hn::Vec<Integers> code, Mask is_reached) {
  const Integers di;
  return hn::Sub(hn::Add(code, code), hn::VecFromMask(di, hn::RebindMask(di, is_reached)));
}

/// Stores the codes of adjacent rows.
HWY_INLINE void store_codes(hn::Vec<Integers> codes, std::uint32_t* to) {
  const hn::RebindToUnsigned<Doubles> wide;
  const hn::Rebind<std::uint32_t, Doubles> narrow;
  hn::StoreU(hn::TruncateTo(narrow, hn::BitCast(wide, codes)), narrow, to);
}

/// Some rows of a column: their values, and where the codes go. `codes` or `bits` may be null.
struct WordToEncode {
  const double* values;
  const CodeBook::AxisCuts& axis;
  std::uint32_t* codes;
  BlockSet* bits;
  std::size_t word;
};

#if HWY_MAX_BYTES == 64
/// The most cuts of a step that are looked up in vectors; a gather is faster for more.
constexpr std::size_t most_looked_up = 64;

/// Returns cuts[code modulo 16].
template <class Codes>
HWY_INLINE hn::Vec<Doubles> look_up_16(const double* cuts, Codes code) {
  const Doubles d;
#if HWY_TARGET == HWY_AVX3
  // One instruction for two vectors, which Highway 1.0 does not have.
  return {_mm512_permutex2var_pd(hn::LoadU(d, cuts).raw, code.raw, hn::LoadU(d, cuts + 8).raw)};
#else
  const Integers di;
  const auto lane = hn::IndicesFromVec(d, hn::And(code, hn::Set(di, 7)));
  const auto is_later = hn::RebindMask(d, hn::TestBit(code, hn::Set(di, 8)));
  return hn::IfThenElse(is_later, hn::TableLookupLanes(hn::LoadU(d, cuts + 8), lane),
                        hn::TableLookupLanes(hn::LoadU(d, cuts), lane));
#endif
}

/// Returns cuts[code] for codes below `n`, a power of two that is at least 16.
template <class Codes>
HWY_INLINE hn::Vec<Doubles> look_up(const double* cuts, std::size_t n, Codes code) {
  const Doubles d;
  const Integers di;
  auto found = look_up_16(cuts, code);
  for (std::size_t first = 16; first < n; first += 16) {
    const auto is_later = hn::RebindMask(d, hn::Gt(code, hn::Set(di, static_cast<std::int64_t>(first) - 1)));
    found = hn::IfThenElse(is_later, look_up_16(cuts + first, code), found);
  }
  return found;
}

/// Finds the number of cuts that each value of a word reaches; NaN reaches none. Each step of the binary search, for
/// all of the rows, finds one bit of the codes. The first steps look up their cuts in a vector, which is faster than
/// gathering one cut per lane.
HWY_INLINE void encode_word(const WordToEncode& rows) {
  const Doubles d;
  const Integers di;
  const std::size_t n = std::size_t{1} << rows.axis.n_bits;
  unsigned bit = rows.axis.n_bits;
  std::array<hn::Vec<Integers>, word_rows / hn::MaxLanes(d)> codes;
  codes.fill(hn::Zero(di));
  const auto take_step = [&](const auto& cut_of) HWY_ATTR {
    RowSet ones = 0;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const auto is_reached = hn::Ge(hn::LoadU(d, rows.values + i * hn::Lanes(d)), cut_of(codes[i]));
      ones |= bits_of(d, is_reached) << i * hn::Lanes(d);
      codes[i] = next_code(codes[i], is_reached);
    }
    --bit;
    if (rows.bits != nullptr) rows.bits[bit][rows.word] = ones;
  };
  for (std::size_t step = 1; step < n; step *= 2) {  // the number of cuts of the step
    const double* cuts = rows.axis.search.data() + step;
    if (step <= hn::Lanes(d)) {
      const auto table = hn::LoadU(d, cuts);
      take_step([&](auto code) HWY_ATTR { return hn::TableLookupLanes(table, hn::IndicesFromVec(d, code)); });
    } else if (step <= most_looked_up) {
      take_step([&](auto code) HWY_ATTR { return look_up(cuts, step, code); });
    } else {
      take_step([&](auto code) HWY_ATTR { return gather(d, cuts, code); });
    }
  }
  if (rows.codes == nullptr) return;
  for (std::size_t i = 0; i < codes.size(); ++i) store_codes(codes[i], rows.codes + i * hn::Lanes(d));
}
#else
/// Distributes the codes of a word over the sets of their bits.
HWY_INLINE void spread_bits(const std::uint32_t* codes, unsigned n_bits, std::size_t word, BlockSet* bits) {
  const hn::CappedTag<std::uint32_t, 16> d;
  for (unsigned bit = 0; bit < n_bits; ++bit) {
    RowSet ones = 0;
    for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
      RowSet some = 0;  // the bytes that a short vector does not write stay zero
      const auto is_one = hn::TestBit(hn::LoadU(d, codes + i), hn::Set(d, std::uint32_t{1} << bit));
      hn::StoreMaskBits(d, is_one, reinterpret_cast<std::uint8_t*>(&some));
      ones |= some << i;
    }
    bits[bit][word] = ones;
  }
}

/// Finds the number of cuts that each value of a word reaches; NaN reaches none. The first steps of the binary search
/// compare with all of their cuts, which is faster than gathering one cut per lane.
HWY_INLINE void encode_word(const WordToEncode& rows) {
  const Doubles d;
  const Integers di;
  const double* search = rows.axis.search.data();
  const std::size_t n = std::size_t{1} << rows.axis.n_bits;
  constexpr std::size_t first_steps = 16;
  std::array<std::uint32_t, word_rows> own_codes;
  std::uint32_t* codes = rows.codes == nullptr ? own_codes.data() : rows.codes;
  for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, rows.values + i);
    auto code = hn::Zero(di);
    for (std::size_t cut = 1; cut < std::min(n, first_steps); ++cut)
      code = hn::Sub(code, hn::VecFromMask(di, hn::RebindMask(di, hn::Ge(x, hn::Set(d, search[cut])))));
    for (std::size_t step = std::min(n, first_steps); step < n; step *= 2)
      code = next_code(code, hn::Ge(x, gather(d, search + step, code)));
    store_codes(code, codes + i);
  }
  if (rows.bits != nullptr) spread_bits(codes, rows.axis.n_bits, rows.word, rows.bits);
}
#endif

void Encode(const ColumnToEncode& column) {
  const Doubles d;
  const auto low = hn::Set(d, column.low);
  const auto high = hn::Set(d, column.high);
  for (std::size_t word = 0; word < column.n_words; ++word) {
    const double* values = column.values + word * word_rows;
    RowSet missing = 0;
    RowSet outside = 0;
    for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
      const auto x = hn::LoadU(d, values + i);
      missing |= bits_of(d, hn::IsNaN(x)) << i;
      outside |= bits_of(d, hn::Or(hn::Lt(x, low), hn::Gt(x, high))) << i;
    }
    (*column.missing)[word] = missing;
    (*column.outside)[word] |= outside;
    std::uint32_t* codes = column.codes == nullptr ? nullptr : column.codes + word * word_rows;
    encode_word({values, *column.axis, codes, column.bits, word});
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(Encode);

namespace {

BlockSet first_rows(std::size_t n) {
  BlockSet rows{};
  for (std::size_t i = 0; i < n; i += word_rows)
    rows[i / word_rows] = n - i >= word_rows ? ~RowSet{0} : (RowSet{1} << (n - i)) - 1;
  return rows;
}

/// Collects the rows with each code; the code of a missing value is arbitrary.
void spread_codes(std::span<const std::uint32_t> codes, std::size_t n_rows, std::vector<BlockSet>& rows_with_code) {
  std::ranges::fill(rows_with_code, BlockSet{});
  for (std::size_t i = 0; i < n_rows; ++i) rows_with_code[codes[i]][i / word_rows] |= RowSet{1} << (i % word_rows);
}

/// Copies columns of a block one after the other. Columns that are adjacent in every row are copied together, so that
/// each line of memory is read once.
class ColumnCopies {
 public:
  ColumnCopies(const Rows& rows, std::size_t begin, std::size_t n) : rows_(rows), begin_(begin), n_(n) {}

  /// Valid until the next call. Columns must be asked for in increasing order.
  const double* column(std::size_t axis) {
    if (axis >= first_ + n_columns_) copy(axis);
    return values_[axis - first_].data();
  }

 private:
  static constexpr std::size_t most_columns = 8;

  void copy(std::size_t axis) {
    const StridedColumn& first = rows_.columns[axis];
    first_ = axis;
    n_columns_ = 1;
    while (n_columns_ < most_columns && axis + n_columns_ < rows_.columns.size() &&
           rows_.columns[axis + n_columns_].first == first.first + n_columns_ &&
           rows_.columns[axis + n_columns_].stride == first.stride)
      ++n_columns_;
    const double* row = first.first + static_cast<std::ptrdiff_t>(begin_) * first.stride;
    for (std::size_t i = 0; i < n_; ++i, row += first.stride) {
      if (n_columns_ == most_columns) {
        hwy::Prefetch(row + 2 * most_columns - 1);  // the last of the next columns, which may be in two lines
        for (std::size_t j = 0; j < most_columns; ++j) values_[j][i] = row[j];
      } else {
        for (std::size_t j = 0; j < n_columns_; ++j) values_[j][i] = row[j];
      }
    }
  }

  const Rows& rows_;
  std::size_t begin_;
  std::size_t n_;
  std::size_t first_ = 0;
  std::size_t n_columns_ = 0;
  /// With a line of padding, so that the columns are in different places of the cache.
  alignas(BlockSet) std::array<std::array<double, block_rows + 8>, most_columns> values_{};
};

}  // namespace

RowBlock::RowBlock(const CodeBook& book, const Forest& forest, Codes kept)
    : book_(book),
      common_root_(common_root(forest)),
      bits_(common_root_.size()),
      codes_(common_root_.size()),
      rows_with_code_(common_root_.size()),
      missing_(common_root_.size()) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (geometry::Interval& interval : common_root_)
    if (interval.has_levels()) interval = {.low = -infinity, .high = infinity};
  for (std::size_t axis = 0; axis < forest.isolated.size(); ++axis)
    if (forest.isolated[axis].missing_bits > 0) isolated_missing_.push_back(axis);
  for (std::size_t axis = 0; axis < forest.isolated.size(); ++axis)
    if (forest.root[axis].has_levels() && !forest.isolated[axis].above.empty())
      common_root_[axis].high = forest.isolated[axis].above.back().inner;
  for (std::size_t axis = 0; axis < common_root_.size(); ++axis) {
    const CodeBook::AxisCuts& cuts = book.axis(axis);
    if (cuts.is_category || kept == Codes::of_all_axes) codes_[axis].resize(block_rows);
    if (!cuts.is_category) bits_[axis].resize(book.n_bits());
    if (cuts.is_category && cuts.n_codes <= few_codes) rows_with_code_[axis].resize(cuts.n_codes);
  }
}

void RowBlock::load(const Rows& rows, std::size_t begin) {
  n_rows_ = std::min(block_rows, rows.n - begin);
  rows_ = first_rows(n_rows_);
  outside_ = {};
  RowSet missing = 0;
  ColumnCopies copies(rows, begin, n_rows_);
  for (std::size_t axis = 0; axis < common_root_.size(); ++axis) {
    const StridedColumn& column = rows.columns[axis];
    const bool is_whole = column.stride == 1 && n_rows_ % word_rows == 0;
    const double* values = is_whole ? column.first + begin : copies.column(axis);
    const std::size_t n_words = (n_rows_ + word_rows - 1) / word_rows;
    HWY_DYNAMIC_DISPATCH(Encode)
    ({.values = values,
      .n_words = n_words,
      .axis = &book_.axis(axis),
      .low = common_root_[axis].low,
      .high = common_root_[axis].high,
      .bits = bits_[axis].empty() ? nullptr : bits_[axis].data(),
      .codes = codes_[axis].empty() ? nullptr : codes_[axis].data(),
      .missing = &missing_[axis],
      .outside = &outside_});
    for (std::size_t word = 0; word < n_words; ++word) missing |= missing_[axis][word] & rows_[word];
    if (!rows_with_code_[axis].empty()) spread_codes(codes_[axis], n_rows_, rows_with_code_[axis]);
  }
  has_missing_ = missing != 0;
  for (const std::size_t axis : isolated_missing_)
    for (std::size_t word = 0; word < block_words; ++word) outside_[word] |= missing_[axis][word];
  for (std::size_t word = 0; word < block_words; ++word) outside_[word] &= rows_[word];
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
