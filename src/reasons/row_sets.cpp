// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reasons/row_sets.cpp"
#include "reasons/row_sets.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <bit>
#include <cstddef>

#include "forest/row_sets-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::reasons::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using forest::block_words;
using forest::RowSet;
using Sets = forest::HWY_NAMESPACE::Sets;

void FindReach(std::span<const BlockSet> bits, const std::uint32_t* zero_bits, const BlockSet& among, BlockSet* reach,
               std::size_t n) {
  const Sets d;
  for (std::size_t i = 0; i < n; ++i, zero_bits += bits.size())
    for (std::size_t word = 0; word < block_words; word += hn::Lanes(d)) {
      auto found = hn::Set(d, ~RowSet{0});
      for (std::size_t bit = 0; bit < bits.size(); ++bit)
        found = forest::HWY_NAMESPACE::majority(found, hn::LoadU(d, bits[bit].data() + word),
                                                forest::HWY_NAMESPACE::all_or_none(zero_bits[bit]));
      hn::StoreU(hn::And(found, hn::LoadU(d, among.data() + word)), d, reach[i].data() + word);
    }
}

void Unite(const Difference* differences, std::span<const std::uint32_t> first, const BlockSet* sets, BlockSet* united,
           std::size_t step) {
  const Sets d;
  for (std::size_t i = 0; i + 1 < first.size(); ++i)
    for (std::size_t word = 0; word < block_words; word += hn::Lanes(d)) {
      auto rows = hn::Zero(d);
      for (std::uint32_t k = first[i]; k < first[i + 1]; ++k)
        rows = hn::Or(rows, hn::AndNot(hn::LoadU(d, sets[differences[k].without].data() + word),
                                       hn::LoadU(d, sets[differences[k].from].data() + word)));
      hn::StoreU(rows, d, united[i * step].data() + word);
    }
}

HWY_INLINE std::uint64_t Intersect(const BlockSet& a, const BlockSet& b, BlockSet& both) {
  const Sets d;
  for (std::size_t word = 0; word < block_words; word += hn::Lanes(d))
    hn::StoreU(hn::And(hn::LoadU(d, a.data() + word), hn::LoadU(d, b.data() + word)), d, both.data() + word);
  int size = 0;
  for (const RowSet rows : both) size += std::popcount(rows);
  return static_cast<std::uint64_t>(size);
}

std::uint64_t IntersectAll(std::span<const BlockSet> a, const BlockSet* b, BlockSet* both) {
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) size += Intersect(a[i], b[i], both[i]);
  return size;
}

std::uint64_t SizeOf(std::span<const BlockSet> set) {
  int size = 0;
  for (const BlockSet& block : set)
    for (const RowSet rows : block) size += std::popcount(rows);
  return static_cast<std::uint64_t>(size);
}

void CountCubes(std::span<const CubeStep> steps, const BlockSet* parts, BlockSet* cubes, std::uint64_t* counts) {
  for (std::size_t i = 1; i < steps.size(); ++i)
    counts[i] += Intersect(cubes[steps[i].parent], parts[steps[i].part], cubes[i]);
}

}  // namespace pidforest::reasons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::reasons {

HWY_EXPORT(FindReach);
HWY_EXPORT(Unite);
HWY_EXPORT(IntersectAll);
HWY_EXPORT(SizeOf);
HWY_EXPORT(CountCubes);

void find_reach(std::span<const BlockSet> bits, std::span<const std::uint32_t> zero_bits, const BlockSet& among,
                std::span<BlockSet> reach) {
  HWY_DYNAMIC_DISPATCH(FindReach)(bits, zero_bits.data(), among, reach.data(), reach.size());
}

void unite(std::span<const Difference> differences, std::span<const std::uint32_t> first,
           std::span<const BlockSet> sets, BlockSet* united, std::size_t step) {
  HWY_DYNAMIC_DISPATCH(Unite)(differences.data(), first, sets.data(), united, step);
}

std::uint64_t intersect(std::span<const BlockSet> a, std::span<const BlockSet> b, std::span<BlockSet> both) {
  return HWY_DYNAMIC_DISPATCH(IntersectAll)(a, b.data(), both.data());
}

std::uint64_t size_of(std::span<const BlockSet> set) { return HWY_DYNAMIC_DISPATCH(SizeOf)(set); }

void count_cubes(std::span<const CubeStep> steps, std::span<const BlockSet> parts, std::span<BlockSet> cubes,
                 std::span<std::uint64_t> counts) {
  HWY_DYNAMIC_DISPATCH(CountCubes)(steps, parts.data(), cubes.data(), counts.data());
}

}  // namespace pidforest::reasons
#endif  // HWY_ONCE
