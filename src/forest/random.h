// SPDX-License-Identifier: Apache-2.0
// Random numbers as a function of the place where they are needed: Philox 4x32-10 (Salmon et al. 2011), a counter in,
// 128 bits out. They are the same on every platform and independent of the order in which threads ask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pidforest::forest {

/// The use of a random number. Numbers for different purposes are independent.
enum class Purpose : std::uint32_t { sample_rows, count_rows, cut, order, threshold_rows, view };

/// The place of a random number, which together with the seed determines the number.
struct Place {
  Purpose purpose;
  std::uint32_t tree = 0;
  std::uint32_t node = 0;
  std::uint32_t axis = 0;
  std::uint32_t round = 0;
};

/// The multipliers, and the increments of the key.
inline constexpr std::uint32_t philox_multiplier0 = 0xD2511F53;
inline constexpr std::uint32_t philox_multiplier1 = 0xCD9E8D57;
inline constexpr std::uint32_t philox_step0 = 0x9E3779B9;
inline constexpr std::uint32_t philox_step1 = 0xBB67AE85;
inline constexpr int philox_rounds = 10;

/// Combines a seed and a purpose into a key.
std::array<std::uint32_t, 2> philox_key(std::uint64_t seed, Purpose purpose);

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Two independent numbers, uniform in [0, 1) and (0, 1).
struct UniformPair {
  double first;
  double second;
};
UniformPair uniform_pair(std::uint64_t seed, const Place& place);

/// Vectorized: the pairs of the axes from place.axis on, at otherwise the same place. The size of both spans must be a
/// multiple of 8.
void uniform_pairs(std::uint64_t seed, const Place& place, std::span<double> firsts, std::span<double> seconds);

/// Returns `m` distinct numbers below `n` in increasing order; every such set is equally likely. Memory is proportional
/// to m, not n.
std::vector<std::size_t> sample_without_replacement(std::size_t n, std::size_t m, std::uint64_t seed,
                                                    const Place& place);

}  // namespace pidforest::forest
