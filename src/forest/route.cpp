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

#include "forest/row_sets-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

/// Moves the rows below each of `N` <= 3 cuts, one cut after the other, out of `rows` and into the children from
/// `child` on.
template <std::size_t N>
HWY_INLINE void take_apart(std::span<const BlockSet> bits, const std::uint32_t* zero_bits, std::size_t word,
                           BlockSet* child, hn::Vec<Sets>& rows) {
  const Sets d;
  auto found1 = hn::Set(d, ~RowSet{0});
  auto found2 = found1;
  auto found3 = found1;
  const std::size_t n_bits = bits.size();
  for (std::size_t bit = 0; bit < n_bits; ++bit) {
    const auto ones = hn::LoadU(d, bits[bit].data() + word);
    found1 = majority(found1, ones, all_or_none(zero_bits[bit]));
    if constexpr (N > 1) found2 = majority(found2, ones, all_or_none(zero_bits[n_bits + bit]));
    if constexpr (N > 2) found3 = majority(found3, ones, all_or_none(zero_bits[2 * n_bits + bit]));
  }
  const auto take = [&](std::size_t i, auto found) HWY_ATTR {
    hn::StoreU(hn::AndNot(found, rows), d, child[i].data() + word);
    rows = hn::And(rows, found);
  };
  take(0, found1);
  if constexpr (N > 1) take(1, found2);
  if constexpr (N > 2) take(2, found3);
}

/// Returns the rows of a node that have a value on its axis. The other rows go to the child for missing values, if
/// there is one.
HWY_INLINE hn::Vec<Sets> rows_with_value(const Node& node, const RowBlock& block, std::size_t word, hn::Vec<Sets> rows,
                                         BlockSet* reached) {
  const Sets d;
  if (!node.has_missing_child && !block.has_missing()) return rows;
  const auto missing = hn::LoadU(d, block.missing(node.axis).data() + word);
  if (node.has_missing_child) hn::StoreU(hn::And(rows, missing), d, reached[node.missing_child()].data() + word);
  return hn::AndNot(missing, rows);
}

/// Writes the rows between the cuts of a node to the sets from `stretch` on, one more than there are cuts.
HWY_INLINE void take_stretches(std::span<const BlockSet> bits, const std::uint32_t* zero_bits, std::size_t n_cuts,
                               std::size_t word, BlockSet* stretch, hn::Vec<Sets> rows) {
  std::size_t left = n_cuts;
  for (; left >= 3; left -= 3, stretch += 3, zero_bits += 3 * bits.size())
    take_apart<3>(bits, zero_bits, word, stretch, rows);
  if (left == 2) take_apart<2>(bits, zero_bits, word, stretch, rows);
  if (left == 1) take_apart<1>(bits, zero_bits, word, stretch, rows);
  hn::StoreU(rows, Sets(), stretch[left].data() + word);
}

/// On a circle, the stretches before the first cut and after the last one belong to the same child.
void RouteArcs(const CodedTree& coded, const CodeBook::InnerNode& inner, const RowBlock& block, BlockSet* reached) {
  const Sets d;
  const Node& node = coded.tree.nodes[inner.node];
  const geometry::Fork fork = coded.tree.fork(node);
  const std::uint32_t* zero_bits = coded.nodes.zero_bits.data() + inner.first_bit;
  std::array<BlockSet, geometry::max_groups + 1> stretches;
  for (std::size_t word = 0; word < block_words; word += hn::Lanes(d)) {
    const auto rows = rows_with_value(node, block, word, hn::LoadU(d, reached[inner.node].data() + word), reached);
    take_stretches(block.bits(node.axis), zero_bits, node.n_cuts, word, stretches.data(), rows);
    const auto around =
        hn::Or(hn::LoadU(d, stretches[0].data() + word), hn::LoadU(d, stretches[node.n_cuts].data() + word));
    hn::StoreU(around, d, stretches[0].data() + word);
    for (std::uint32_t i = 0; i < node.n_cuts; ++i)
      hn::StoreU(hn::LoadU(d, stretches[i].data() + word), d,
                 reached[node.first_child + fork.child_of_stretch(i)].data() + word);
  }
}

/// Routes the rows of each code to one child.
template <class ChildOf>
HWY_INLINE void route_sets(const CodedTree& coded, const CodeBook::InnerNode& inner, const RowBlock& block,
                           BlockSet* reached, const ChildOf& child_of) {
  const Sets d;
  const Node& node = coded.tree.nodes[inner.node];
  const auto sets = block.rows_with_code(node.axis);
  for (std::uint32_t i = 0; i < node.n_value_children; ++i) reached[node.first_child + i] = {};
  for (std::size_t word = 0; word < block_words; word += hn::Lanes(d)) {
    const auto rows = rows_with_value(node, block, word, hn::LoadU(d, reached[inner.node].data() + word), reached);
    for (std::uint32_t code = 0; code < sets.size(); ++code) {
      RowSet* child = reached[node.first_child + child_of(code)].data() + word;
      hn::StoreU(hn::Or(hn::LoadU(d, child), hn::And(rows, hn::LoadU(d, sets[code].data() + word))), d, child);
    }
  }
}

/// Like route_sets, one row after the other.
template <class ChildOf>
HWY_INLINE void route_rows(const CodedTree& coded, const CodeBook::InnerNode& inner, const RowBlock& block,
                           BlockSet* reached, const ChildOf& child_of) {
  const Sets d;
  const Node& node = coded.tree.nodes[inner.node];
  const std::uint32_t* codes = block.codes(node.axis).data();
  BlockSet present;
  for (std::size_t word = 0; word < block_words; word += hn::Lanes(d))
    hn::StoreU(rows_with_value(node, block, word, hn::LoadU(d, reached[inner.node].data() + word), reached), d,
               present.data() + word);
  for (std::uint32_t i = 0; i < node.n_value_children; ++i) reached[node.first_child + i] = {};
  for (std::size_t word = 0; word < block_words; ++word)
    for (RowSet left = present[word]; left != 0; left &= left - 1) {
      const std::uint32_t code = codes[word * word_rows + static_cast<std::size_t>(std::countr_zero(left))];
      reached[node.first_child + child_of(code)][word] |= left & -left;
    }
}

template <class ChildOf>
HWY_INLINE void route_codes(const CodedTree& coded, const CodeBook::InnerNode& inner, const RowBlock& block,
                            BlockSet* reached, const ChildOf& child_of) {
  if (block.rows_with_code(coded.tree.nodes[inner.node].axis).empty())
    route_rows(coded, inner, block, reached, child_of);
  else
    route_sets(coded, inner, block, reached, child_of);
}

/// Uses the tables of the node, or its pieces if it has no tables.
void RouteLevels(const CodedTree& coded, const CodeBook::InnerNode& inner, const RowBlock& block, BlockSet* reached) {
  const Node& node = coded.tree.nodes[inner.node];
  if (inner.first_class != CodeBook::InnerNode::no_tables) {
    const std::uint32_t* classes = coded.nodes.classes.data() + inner.first_class;
    const std::uint8_t* children = coded.nodes.children.data() + inner.first_child;
    return route_codes(coded, inner, block, reached,
                       [&](std::uint32_t code) { return std::uint32_t{children[classes[code]]}; });
  }
  const geometry::Fork fork = coded.tree.fork(node);
  route_codes(coded, inner, block, reached,
              [&](std::uint32_t code) { return fork.child_of(coded.book.level_of(node.axis, code)); });
}

void Route(const CodedTree& coded, const RowBlock& block, BlockSet* reached) {
  const Sets d;
  reached[0] = block.rows();
  for (const CodeBook::InnerNode& inner : coded.nodes.inner) {
    const Node& node = coded.tree.nodes[inner.node];
    if (HWY_UNLIKELY(node.kind == geometry::AxisKind::cyclic)) {
      RouteArcs(coded, inner, block, reached);
      continue;
    }
    if (HWY_UNLIKELY(node.kind == geometry::AxisKind::category)) {
      RouteLevels(coded, inner, block, reached);
      continue;
    }
    const auto bits = block.bits(node.axis);
    const std::uint32_t* zero_bits = coded.nodes.zero_bits.data() + inner.first_bit;
    for (std::size_t word = 0; word < block_words; word += hn::Lanes(d)) {
      const auto rows = rows_with_value(node, block, word, hn::LoadU(d, reached[inner.node].data() + word), reached);
      take_stretches(bits, zero_bits, node.n_cuts, word, reached + node.first_child, rows);
    }
  }
}

void AddSizes(std::span<const BlockSet> reached, std::uint64_t* counts) {
  for (std::size_t v = 0; v < reached.size(); ++v) {
    int size = 0;
    for (const RowSet rows : reached[v]) size += std::popcount(rows);
    counts[v] += static_cast<std::uint64_t>(size);
  }
}

/// Writes the numbers of the leaves that the rows reach as bit planes: bit i of planes[b] is bit b of the number of row
/// i's leaf. Leaves are numbered from 1; a row that reaches none of them has the number 0.
HWY_INLINE void number_leaves(std::span<const std::uint32_t> leaves, const BlockSet* reached,
                              std::array<BlockSet, 8>& planes) {
  const Sets d;
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

/// Assembles the numbers of a word's rows from their bits.
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
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), gather(d, values, number)), d, sums + i);
  }
}

void AddLeafValues(std::span<const std::uint32_t> leaves, const BlockSet* reached, const double* values,
                   double* row_sums) {
  constexpr std::size_t most = 255;  // the largest number in a byte
  std::array<double, most + 1> numbered;
  numbered[0] = 0;
  std::array<BlockSet, 8> planes;
  alignas(BlockSet) std::array<std::uint8_t, word_rows> numbers;
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

void FindLeaves(std::span<const std::uint32_t> leaves, const BlockSet* reached, std::uint32_t* ends) {
  constexpr std::size_t most = 255;  // the largest number in a byte
  std::array<BlockSet, 8> planes;
  alignas(BlockSet) std::array<std::uint8_t, word_rows> numbers;
  for (std::size_t begin = 0; begin < leaves.size(); begin += most) {
    const auto some = leaves.subspan(begin, std::min(most, leaves.size() - begin));
    number_leaves(some, reached, planes);
    for (std::size_t word = 0; word < block_words; ++word) {
      join_planes(planes, std::bit_width(some.size()), word, numbers.data());
      for (std::size_t i = 0; i < word_rows; ++i)
        ends[word * word_rows + i] = numbers[i] > 0 ? some[numbers[i] - 1] : ends[word * word_rows + i];
    }
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(Route);
HWY_EXPORT(AddSizes);
HWY_EXPORT(AddLeafValues);
HWY_EXPORT(FindLeaves);

namespace {

/// Calls visit(row, node) for each row that reaches an inner node but none of its children, because its value is
/// missing.
template <class Visit>
void for_each_that_stays(const CodedTree& coded, std::span<const BlockSet> reached, Visit visit) {
  for (const auto& inner : coded.nodes.inner) {
    const Node& node = coded.tree.nodes[inner.node];
    for (std::size_t word = 0; word < block_words; ++word) {
      RowSet stay = reached[inner.node][word];
      for (std::uint32_t i = 0; i < node.n_children(); ++i) stay &= ~reached[node.first_child + i][word];
      for (; stay != 0; stay &= stay - 1)
        visit(word * word_rows + static_cast<std::size_t>(std::countr_zero(stay)), inner.node);
    }
  }
}

}  // namespace

void route(const CodedTree& coded, const RowBlock& block, std::vector<BlockSet>& reached) {
  reached.resize(coded.tree.nodes.size());
  HWY_DYNAMIC_DISPATCH(Route)(coded, block, reached.data());
}

void add_sizes(std::span<const BlockSet> reached, std::span<std::uint64_t> counts) {
  HWY_DYNAMIC_DISPATCH(AddSizes)(reached, counts.data());
}

void add_values(const CodedTree& coded, std::span<const BlockSet> reached, std::span<const double> values,
                bool may_stay, std::span<double, block_rows> row_sums) {
  HWY_DYNAMIC_DISPATCH(AddLeafValues)(coded.nodes.leaves, reached.data(), values.data(), row_sums.data());
  if (may_stay)
    for_each_that_stays(coded, reached, [&](std::size_t row, std::uint32_t node) { row_sums[row] += values[node]; });
}

void find_ends(const CodedTree& coded, std::span<const BlockSet> reached, bool may_stay,
               std::span<std::uint32_t, block_rows> ends) {
  HWY_DYNAMIC_DISPATCH(FindLeaves)(coded.nodes.leaves, reached.data(), ends.data());
  if (may_stay) for_each_that_stays(coded, reached, [&](std::size_t row, std::uint32_t node) { ends[row] = node; });
}

std::uint32_t child_towards(const Tree& tree, std::uint32_t number, const Rows& rows, std::size_t row) {
  const Node& node = tree.nodes[number];
  if (node.is_leaf()) return number;
  const double x = rows.columns[node.axis][row];
  if (std::isnan(x)) return node.has_missing_child ? node.missing_child() : number;
  return node.first_child + tree.fork(node).child_of(x);
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
