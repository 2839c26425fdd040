// SPDX-License-Identifier: Apache-2.0
// Implements `uniform_pairs`: Philox with one axis per 64-bit lane.
// Declared in forest/random.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forest/random_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "forest/random.h"

HWY_BEFORE_NAMESPACE();
namespace pidforest::forest::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes64 = hn::CappedTag<std::uint64_t, 8>;
using Vector = hn::Vec<Lanes64>;

/// Multiplies lanes that hold 32-bit numbers.
HWY_INLINE Vector multiply_low(Vector a, Vector b) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(Lanes64(), hn::GetLane(a) * hn::GetLane(b));
#else
  const hn::Repartition<std::uint32_t, Lanes64> d32;
  return hn::MulEven(hn::BitCast(d32, a), hn::BitCast(d32, b));
#endif
}

/// Joins a high and a low word into a double in [1, 2).
HWY_INLINE auto from_one_to_two(Vector high, Vector low) {
  const Lanes64 d;
  const auto one = hn::BitCast(d, hn::Set(hn::RebindToFloat<Lanes64>(), 1.0));
  const auto mantissa = hn::ShiftRight<12>(hn::Or(hn::ShiftLeft<32>(high), low));
  return hn::BitCast(hn::RebindToFloat<Lanes64>(), hn::Or(mantissa, one));
}

void UniformPairs(std::uint64_t seed, const Place& place, std::span<double> firsts, std::span<double> seconds) {
  const Lanes64 d;
  const hn::RebindToFloat<Lanes64> doubles;
  const auto low_half = hn::Set(d, 0xFFFFFFFFU);
  const auto multiplier0 = hn::Set(d, philox_multiplier0);
  const auto multiplier1 = hn::Set(d, philox_multiplier1);
  for (std::size_t axis = 0; axis < firsts.size(); axis += hn::Lanes(d)) {
    auto key = philox_key(seed, place.purpose);
    auto word0 = hn::Set(d, place.tree);
    auto word1 = hn::Set(d, place.node);
    auto word2 = hn::Iota(d, place.axis + axis);
    auto word3 = hn::Set(d, place.round);
    for (int round = 0; round < philox_rounds; ++round) {
      const auto product0 = multiply_low(word0, multiplier0);
      const auto product1 = multiply_low(word2, multiplier1);
      word0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product1), word1), hn::Set(d, key[0]));
      word1 = hn::And(product1, low_half);
      word2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(product0), word3), hn::Set(d, key[1]));
      word3 = hn::And(product0, low_half);
      key[0] += philox_step0;
      key[1] += philox_step1;
    }
    hn::StoreU(hn::Sub(from_one_to_two(word0, word1), hn::Set(doubles, 1.0)), doubles, firsts.data() + axis);
    hn::StoreU(hn::Sub(from_one_to_two(word2, word3), hn::Set(doubles, 1 - 0x1p-53)), doubles, seconds.data() + axis);
  }
}

}  // namespace pidforest::forest::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pidforest::forest {

HWY_EXPORT(UniformPairs);

void uniform_pairs(std::uint64_t seed, const Place& place, std::span<double> firsts, std::span<double> seconds) {
  HWY_DYNAMIC_DISPATCH(UniformPairs)(seed, place, firsts, seconds);
}

}  // namespace pidforest::forest
#endif  // HWY_ONCE
