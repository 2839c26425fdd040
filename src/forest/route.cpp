// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/route.cpp"
#include "forest/route.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The rows of a word whose code is at least `cut`.
template <class Code>
HWY_INLINE RowSet at_least(const Code* codes, std::uint32_t cut) {
  const hn::CappedTag<Code, 64 / sizeof(Code)> d;
  const auto below =
      hn::Set(d, static_cast<Code>(static_cast<std::int64_t>(cut) - 1 + std::numeric_limits<Code>::min()));
  RowSet rows = 0;
  for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
    std::uint64_t bits = 0;  // the bytes that a short vector does not write stay zero
    hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, codes + i), below), reinterpret_cast<std::uint8_t*>(&bits));
    rows |= bits << i;
  }
  return rows;
}

/// Sets the missing values' child, if there is one, and takes the rows that lack a value out of `rows`.
HWY_INLINE void set_aside_missing(const Node& node, const BlockSet& missing, BlockSet* children, BlockSet& rows) {
  for (std::size_t word = 0; word < block_words; ++word) {
    if (node.has_missing_child) children[node.n_cuts + 1][word] = rows[word] & missing[word];
    rows[word] &= ~missing[word];
  }
}

template <class Code>
HWY_INLINE void route_block(const CodedTree& coded, const RowBlock<Code>& block, BlockSet* reached) {
  reached[0] = block.rows();
  for (const std::uint32_t v : coded.inner_nodes) {
    const Node& node = coded.tree.nodes[v];
    BlockSet* child = reached + node.first_child;
    BlockSet rows = reached[v];
    if (node.has_missing_child || block.has_missing()) set_aside_missing(node, block.missing(node.axis), child, rows);
    const Code* codes = block.codes(node.axis);
    const std::uint32_t* cuts = coded.codes.data() + node.first_cut;
    for (std::uint32_t i = 0; i < node.n_cuts; ++i, ++child)
      for (std::size_t word = 0; word < block_words; ++word) {
        const RowSet above = rows[word] & at_least(codes + word * word_rows, cuts[i]);
        (*child)[word] = rows[word] & ~above;
        rows[word] = above;
      }
    *child = rows;
  }
}

void Route8(const CodedTree& coded, const RowBlock<std::int8_t>& block, BlockSet* reached) {
  route_block(coded, block, reached);
}
void Route16(const CodedTree& coded, const RowBlock<std::int16_t>& block, BlockSet* reached) {
  route_block(coded, block, reached);
}
void Route32(const CodedTree& coded, const RowBlock<std::int32_t>& block, BlockSet* reached) {
  route_block(coded, block, reached);
}

void AddSizes(std::span<const BlockSet> reached, std::uint64_t* counts) {
  for (std::size_t v = 0; v < reached.size(); ++v)
    for (std::size_t word = 0; word < block_words; ++word)
      counts[v] += static_cast<std::uint64_t>(std::popcount(reached[v][word]));
}

/// The numbers of the leaves that the rows reach, bit by bit: bit i of planes[b] is bit b of the number of row i's
/// leaf. Leaves are numbered from 1; a row that reaches none of them has number 0.
HWY_INLINE void number_leaves(std::span<const std::uint32_t> leaves, const BlockSet* reached,
                              std::array<BlockSet, 8>& planes) {
  const hn::CappedTag<RowSet, block_words> d;
  const auto rows = [&](std::size_t number, std::size_t word) HWY_ATTR {
    return number == 0 || number > leaves.size() ? hn::Zero(d)
                                                 : hn::LoadU(d, reached[leaves[number - 1]].data() + word);
  };
  for (std::size_t word = 0; word < block_words; word += hn::Lanes(d)) {
    auto plane0 = hn::Zero(d);
    auto plane1 = hn::Zero(d);
    for (std::size_t b = 2; b < 8; ++b) hn::StoreU(hn::Zero(d), d, planes[b].data() + word);
    for (std::size_t four = 0; four <= leaves.size(); four += 4) {
      const auto leaf1 = rows(four + 1, word);
      const auto leaf2 = rows(four + 2, word);
      const auto leaf3 = rows(four + 3, word);
      const auto leaf23 = hn::Or(leaf2, leaf3);
      plane0 = hn::Or(plane0, hn::Or(leaf1, leaf3));
      plane1 = hn::Or(plane1, leaf23);
      const auto all = hn::Or(hn::Or(rows(four, word), leaf1), leaf23);
      for (std::size_t b = 2; (four >> b) != 0; ++b)
        if ((four >> b & 1U) != 0)
          hn::StoreU(hn::Or(all, hn::LoadU(d, planes[b].data() + word)), d, planes[b].data() + word);
    }
    hn::StoreU(plane0, d, planes[0].data() + word);
    hn::StoreU(plane1, d, planes[1].data() + word);
  }
}

/// Puts the numbers of a word's rows together from their bits.
HWY_INLINE void join_planes(const std::array<BlockSet, 8>& planes, std::size_t n_planes, std::size_t word,
                            std::uint8_t* numbers) {
  const hn::CappedTag<std::uint8_t, 64> d;
  for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
    auto number = hn::Zero(d);
    for (std::size_t b = 0; b < n_planes; ++b) {
      const RowSet rows = planes[b][word] >> i;
      const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&rows));
      number = hn::Or(number, hn::IfThenElseZero(mask, hn::Set(d, static_cast<std::uint8_t>(1U << b))));
    }
    hn::StoreU(number, d, numbers + i);
  }
}

/// Adds values[numbers[i]] to sum i of a word.
HWY_INLINE void add_numbered(const std::uint8_t* numbers, const double* values, double* sums) {
  const hn::CappedTag<double, 8> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
    const auto number =
        hn::PromoteTo(di, hn::PromoteTo(hn::Rebind<std::int32_t, decltype(d)>(), hn::LoadU(bytes, numbers + i)));
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), hn::GatherIndex(d, values, number)), d, sums + i);
  }
}

void AddLeafValues(std::span<const std::uint32_t> leaves, const BlockSet* reached, const double* values,
                   double* row_sums) {
  constexpr std::size_t most = 255;  // what a byte can number
  std::array<double, most + 1> numbered;
  numbered[0] = 0;
  std::array<BlockSet, 8> planes;
  std::array<std::uint8_t, word_rows> numbers;
  for (std::size_t begin = 0; begin < leaves.size(); begin += most) {
    const auto some = leaves.subspan(begin, std::min(most, leaves.size() - begin));
    for (std::size_t i = 0; i < some.size(); ++i) numbered[i + 1] = values[some[i]];
    number_leaves(some, reached, planes);
    for (std::size_t word = 0; word < block_words; ++word) {
      join_planes(planes, std::bit_width(some.size()), word, numbers.data());
      add_numbered(numbers.data(), numbered.data(), row_sums + word * word_rows);
    }
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(Route8);
HWY_EXPORT(Route16);
HWY_EXPORT(Route32);
HWY_EXPORT(AddSizes);
HWY_EXPORT(AddLeafValues);

namespace {

/// The rows that reach an inner node and none of its children, for want of a value.
RowSet rows_that_stay(const Node& node, std::span<const BlockSet> reached, std::size_t v, std::size_t word) {
  RowSet stay = reached[v][word];
  for (std::uint32_t i = 0; i < node.n_children(); ++i) stay &= ~reached[node.first_child + i][word];
  return stay;
}

}  // namespace

template <class Code>
void route(const CodedTree& coded, const RowBlock<Code>& block, std::vector<BlockSet>& reached) {
  reached.resize(coded.tree.nodes.size());
  if constexpr (sizeof(Code) == 1) HWY_DYNAMIC_DISPATCH(Route8)(coded, block, reached.data());
  if constexpr (sizeof(Code) == 2) HWY_DYNAMIC_DISPATCH(Route16)(coded, block, reached.data());
  if constexpr (sizeof(Code) == 4) HWY_DYNAMIC_DISPATCH(Route32)(coded, block, reached.data());
}

template void route(const CodedTree&, const RowBlock<std::int8_t>&, std::vector<BlockSet>&);
template void route(const CodedTree&, const RowBlock<std::int16_t>&, std::vector<BlockSet>&);
template void route(const CodedTree&, const RowBlock<std::int32_t>&, std::vector<BlockSet>&);

void add_sizes(std::span<const BlockSet> reached, std::span<std::uint64_t> counts) {
  HWY_DYNAMIC_DISPATCH(AddSizes)(reached, counts.data());
}

void add_values(const CodedTree& coded, std::span<const BlockSet> reached, std::span<const double> values,
                bool may_stay, std::span<double, block_rows> row_sums) {
  HWY_DYNAMIC_DISPATCH(AddLeafValues)(coded.leaves, reached.data(), values.data(), row_sums.data());
  if (!may_stay) return;
  for (const std::uint32_t v : coded.inner_nodes)
    for (std::size_t word = 0; word < block_words; ++word)
      for (RowSet left = rows_that_stay(coded.tree.nodes[v], reached, v, word); left != 0; left &= left - 1)
        row_sums[word * word_rows + static_cast<std::size_t>(std::countr_zero(left))] += values[v];
}

std::uint32_t child_towards(const Tree& tree, std::uint32_t number, const Rows& rows, std::size_t row) {
  const Node& node = tree.nodes[number];
  if (node.is_leaf()) return number;
  const double x = rows.columns[node.axis][row];
  if (std::isnan(x)) return node.has_missing_child ? node.missing_child() : number;
  const auto cuts = tree.cuts.begin() + node.first_cut;
  return node.first_child + static_cast<std::uint32_t>(std::upper_bound(cuts, cuts + node.n_cuts, x) - cuts);
}

std::uint32_t route_plain(const Tree& tree, const Rows& rows, std::size_t row) {
  for (std::uint32_t number = 0;;) {
    const std::uint32_t child = child_towards(tree, number, rows, row);
    if (child == number) return number;
    number = child;
  }
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
