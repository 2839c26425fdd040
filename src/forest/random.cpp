// SPDX-License-Identifier: Apache-2.0
#include "forest/random.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "system/per_thread.h"

namespace pidforest::forest {

namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t joined(std::uint32_t high, std::uint32_t low) { return (std::uint64_t{high} << 32U) | low; }

/// The sequence of numbers that belongs to one place.
class Stream {
 public:
  Stream(std::uint64_t seed, const Place& place) : key_(philox_key(seed, place.purpose)), place_(place) {}

  std::uint64_t next() {
    if (used_ == 2) {
      block_ = philox({place_.tree, place_.node, index_++, 0}, key_);
      used_ = 0;
    }
    const std::size_t at = 2 * used_++;
    return joined(block_[at], block_[at + 1]);
  }

  /// A uniform number below `bound` > 0, by multiplication and rejection (Lemire 2019).
  std::uint64_t below(std::uint64_t bound) {
    auto product = static_cast<Wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t rejected = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < rejected) product = static_cast<Wide>(next()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64U);
  }

 private:
  std::array<std::uint32_t, 2> key_;
  Place place_;
  std::array<std::uint32_t, 4> block_{};
  std::uint32_t index_ = 0;
  std::size_t used_ = 2;
};

/// A set of numbers with open addressing and a fixed capacity.
class NumberSet {
 public:
  explicit NumberSet(std::size_t capacity) : slots_(std::bit_ceil(2 * capacity), empty) {}

  /// Returns false if `number` was in the set already.
  bool insert(std::size_t number) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = (number * 0x9E3779B97F4A7C15ULL >> 32U) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == number) return false;
      if (slots_[at] == empty) {
        slots_[at] = number;
        return true;
      }
    }
  }

 private:
  static constexpr std::size_t empty = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> slots_;
};

}  // namespace

std::array<std::uint32_t, 2> philox_key(std::uint64_t seed, Purpose purpose) {
  // A seed has at most 53 bits, so the highest bits are free for the purpose.
  return {static_cast<std::uint32_t>(seed),
          static_cast<std::uint32_t>(seed >> 32U) ^ (static_cast<std::uint32_t>(purpose) << 28U)};
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < philox_rounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{philox_multiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{philox_multiplier1} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32U) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32U) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += philox_step0;
    key[1] += philox_step1;
  }
  return counter;
}

UniformPair uniform_pair(std::uint64_t seed, const Place& place) {
  const auto bits = philox({place.tree, place.node, place.axis, place.round}, philox_key(seed, place.purpose));
  // Uses 52 random bits as the mantissa of a number in [1, 2).
  const auto from_one_to_two = [](std::uint64_t random) {
    return std::bit_cast<double>((random >> 12U) | std::bit_cast<std::uint64_t>(1.0));
  };
  return {from_one_to_two(joined(bits[0], bits[1])) - 1, from_one_to_two(joined(bits[2], bits[3])) - (1 - 0x1p-53)};
}

std::vector<std::size_t> sample_without_replacement(std::size_t n, std::size_t m, std::uint64_t seed,
                                                    const Place& place) {
  if (m >= n) {
    std::vector<std::size_t> all(n);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  // Floyd's algorithm: takes a number drawn below i + 1, or i itself if that number is taken.
  Stream stream(seed, place);
  NumberSet taken(m);
  std::vector<std::uint64_t> sample;
  sample.reserve(m);
  for (std::size_t i = n - m; i < n; ++i) {
    const auto drawn = static_cast<std::size_t>(stream.below(i + 1));
    sample.push_back(taken.insert(drawn) ? drawn : (taken.insert(i), i));
  }
  static const system::PerThread<hwy::Sorter> sorters;  // may hold a buffer, so each thread has its own
  sorters()(sample.data(), sample.size(), hwy::SortAscending());
  return {sample.begin(), sample.end()};
}

}  // namespace pidforest::forest
