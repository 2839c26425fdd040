// SPDX-License-Identifier: Apache-2.0
// Operations on sets of rows. A set has one BlockSet for each 512 rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/row_block.h"

namespace pidforest::reasons {

using forest::BlockSet;

/// The rows of one set that are not in another; both are places in a list of sets.
struct Difference {
  std::uint32_t from = 0;
  std::uint32_t without = 0;
};

/// A cube as the rows of another cube that lie in one more part; both are places in lists of sets.
struct CubeStep {
  std::uint32_t parent = 0;
  std::uint32_t part = 0;

  bool operator==(const CubeStep&) const = default;
};

/// Sets reach[i] to the rows of `among` whose codes are at least that of cut i. `bits` are the codes of a RowBlock, and
/// `zero_bits` the codes of the cuts as a CodeBook has them.
void find_reach(std::span<const BlockSet> bits, std::span<const std::uint32_t> zero_bits, const BlockSet& among,
                std::span<BlockSet> reach);

/// Sets united[i * step] to the union of the differences from first[i] up to but not including first[i + 1].
void unite(std::span<const Difference> differences, std::span<const std::uint32_t> first,
           std::span<const BlockSet> sets, BlockSet* united, std::size_t step);

/// Sets `both` to the rows that are in both sets, and returns their number. `both` may be one of them.
std::uint64_t intersect(std::span<const BlockSet> a, std::span<const BlockSet> b, std::span<BlockSet> both);

/// The number of rows in a set.
std::uint64_t size_of(std::span<const BlockSet> set);

/// Sets cubes[i] to its rows and adds their number to counts[i], for all but the first cube, which is given. A parent
/// comes before its cubes.
void count_cubes(std::span<const CubeStep> steps, std::span<const BlockSet> parts, std::span<BlockSet> cubes,
                 std::span<std::uint64_t> counts);

}  // namespace pidforest::reasons
