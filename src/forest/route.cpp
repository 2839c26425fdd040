// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/route.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "forest/route.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The rows of a word whose code is at least `cut`.
template <class Code>
HWY_INLINE RowSet at_least(const Code* codes, std::uint32_t cut) {
  const hn::CappedTag<Code, 64 / sizeof(Code)> d;
  const auto below = hn::Set(d, static_cast<Code>(cut - 1));
  RowSet rows = 0;
  for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
    std::uint64_t bits = 0;  // lanes are at most 32: the bytes that are not written stay zero
    hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, codes + i), below), reinterpret_cast<std::uint8_t*>(&bits));
    rows |= bits << i;
  }
  return rows;
}

template <class Code>
void route_block(const CodedTree& coded, const RowBlock<Code>& block, BlockSet* reached) {
  reached[0] = block.rows();
  for (std::size_t v = 0; v < coded.tree.nodes.size(); ++v) {
    const Node& node = coded.tree.nodes[v];
    if (node.is_leaf()) continue;
    BlockSet* child = reached + node.first_child;
    BlockSet rows = reached[v];
    if (node.has_missing_child || block.has_missing(node.axis)) {
      const BlockSet& missing = block.missing(node.axis);
      for (std::size_t word = 0; word < block_words; ++word) {
        if (node.has_missing_child) child[node.n_cuts + 1][word] = rows[word] & missing[word];
        rows[word] &= ~missing[word];
      }
    }
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

void RouteNarrow(const CodedTree& coded, const RowBlock<std::int16_t>& block, BlockSet* reached) {
  route_block(coded, block, reached);
}
void RouteWide(const CodedTree& coded, const RowBlock<std::int32_t>& block, BlockSet* reached) {
  route_block(coded, block, reached);
}

void AddSizes(std::span<const BlockSet> reached, std::uint64_t* counts) {
  for (std::size_t v = 0; v < reached.size(); ++v)
    for (std::size_t word = 0; word < block_words; ++word)
      counts[v] += static_cast<std::uint64_t>(std::popcount(reached[v][word]));
}

/// For each row of a word, the number of the leaf that it reaches, counted from 1; 0 for a row that reaches none of them.
HWY_INLINE void number_leaves(std::span<const std::uint32_t> leaves, const BlockSet* reached, std::size_t word,
                              std::uint8_t* numbers) {
  const hn::CappedTag<std::uint8_t, 64> d;
  for (std::size_t i = 0; i < word_rows; i += hn::Lanes(d)) {
    auto number = hn::Zero(d);
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      // Reads eight bytes from the beginning of a vector's bits on; what is beyond the vector's lanes is not used.
      std::array<std::uint8_t, 8> bits;
      const RowSet rows = reached[leaves[leaf]][word] >> i;
      std::memcpy(bits.data(), &rows, sizeof(rows));
      const auto mask = hn::LoadMaskBits(d, bits.data());
      number = hn::Or(number, hn::IfThenElseZero(mask, hn::Set(d, static_cast<std::uint8_t>(leaf + 1))));
    }
    hn::StoreU(number, d, numbers + i);
  }
}

void PickLeaves(std::span<const std::uint32_t> leaves, const BlockSet* reached, const double* values, double* row_values) {
  constexpr std::size_t most = 255;  // what a byte can number
  std::array<double, most + 1> numbered;
  numbered[0] = 0;
  std::array<std::uint8_t, word_rows> numbers;
  for (std::size_t begin = 0; begin < leaves.size(); begin += most) {
    const auto some = leaves.subspan(begin, std::min(most, leaves.size() - begin));
    for (std::size_t i = 0; i < some.size(); ++i) numbered[i + 1] = values[some[i]];
    for (std::size_t word = 0; word < block_words; ++word) {
      number_leaves(some, reached, word, numbers.data());
      double* picked = row_values + word * word_rows;
      if (begin == 0)
        for (std::size_t i = 0; i < word_rows; ++i) picked[i] = numbered[numbers[i]];
      else
        for (std::size_t i = 0; i < word_rows; ++i) picked[i] += numbered[numbers[i]];
    }
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(RouteNarrow);
HWY_EXPORT(RouteWide);
HWY_EXPORT(AddSizes);
HWY_EXPORT(PickLeaves);

namespace {

/// Picks the values of the rows that end at an inner node for want of a value.
void pick_inner_values(const Tree& tree, std::span<const BlockSet> reached, std::span<const double> values,
                       std::span<double, block_rows> row_values) {
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const Node& node = tree.nodes[v];
    if (node.is_leaf()) continue;
    for (std::size_t word = 0; word < block_words; ++word) {
      RowSet stay = reached[v][word];
      for (std::uint32_t i = 0; i < node.n_children(); ++i) stay &= ~reached[node.first_child + i][word];
      for (; stay != 0; stay &= stay - 1)
        row_values[word * word_rows + static_cast<std::size_t>(std::countr_zero(stay))] = values[v];
    }
  }
}

}  // namespace

template <class Code>
void route(const CodedTree& coded, const RowBlock<Code>& block, std::vector<BlockSet>& reached) {
  reached.resize(coded.tree.nodes.size());
  if constexpr (std::is_same_v<Code, std::int16_t>)
    HWY_DYNAMIC_DISPATCH(RouteNarrow)(coded, block, reached.data());
  else
    HWY_DYNAMIC_DISPATCH(RouteWide)(coded, block, reached.data());
}

template void route(const CodedTree&, const RowBlock<std::int16_t>&, std::vector<BlockSet>&);
template void route(const CodedTree&, const RowBlock<std::int32_t>&, std::vector<BlockSet>&);

void add_sizes(std::span<const BlockSet> reached, std::span<std::uint64_t> counts) {
  HWY_DYNAMIC_DISPATCH(AddSizes)(reached, counts.data());
}

void pick_values(const CodedTree& coded, std::span<const BlockSet> reached, std::span<const double> values, bool may_stay,
                 std::span<double, block_rows> row_values) {
  HWY_DYNAMIC_DISPATCH(PickLeaves)(coded.leaves, reached.data(), values.data(), row_values.data());
  if (may_stay) pick_inner_values(coded.tree, reached, values, row_values);
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
