// SPDX-License-Identifier: Apache-2.0
// Random numbers as a function of where they are needed: Philox 4x32-10 (Salmon et al. 2011), a counter in, 128 bits
// out. The same on every platform, and independent of the order in which threads ask.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/logarithm.h"

namespace pidforest::forest {

/// What a random number is for; numbers for different purposes are independent.
enum class Purpose : std::uint32_t { sample_rows, count_rows, cut };

/// The place of a random number: together with the seed it determines the number.
struct Place {
  Purpose purpose;
  std::uint32_t tree = 0;
  std::uint32_t node = 0;
  std::uint32_t axis = 0;
  std::uint32_t round = 0;
};

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// Two independent numbers, uniform in [0, 1) and (0, 1).
struct UniformPair {
  double first;
  double second;
};
UniformPair uniform_pair(std::uint64_t seed, const Place& place);

/// A draw from the standard Gumbel distribution, from a number uniform in (0, 1).
inline double gumbel(double uniform) { return -geometry::portable_log(-geometry::portable_log(uniform)); }

/// `m` different numbers below `n`, every such set equally likely, in increasing order. Takes memory for m numbers, not
/// n.
std::vector<std::size_t> sample_without_replacement(std::size_t n, std::size_t m, std::uint64_t seed,
                                                    const Place& place);

}  // namespace pidforest::forest
