// SPDX-License-Identifier: Apache-2.0
// Moving the rows of a node so that the rows of each of its children lie side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/partition.h"

namespace pidforest::forest {

/// The most children that a node can have: the groups of a partition and the missing values.
inline constexpr std::size_t max_children = geometry::max_groups + 1;

/// Moves items[borders.front() .. borders.back()) so that those of child i are at borders[i] .. borders[i + 1], keeping
/// their order. child_of(i) is the child of the item that is at place i before.
template <class Item, class ChildOf>
void divide_items(std::span<Item> items, std::span<const std::size_t> borders, const ChildOf& child_of,
                  std::vector<Item>& scratch) {
  std::array<std::size_t, max_children> next{};
  std::copy(borders.begin(), borders.end() - 1, next.begin());
  scratch.resize(items.size());
  for (std::size_t i = borders.front(); i < borders.back(); ++i) scratch[next[child_of(i)]++] = items[i];
  const auto begin = static_cast<std::ptrdiff_t>(borders.front());
  const auto end = static_cast<std::ptrdiff_t>(borders.back());
  std::copy(scratch.begin() + begin, scratch.begin() + end, items.begin() + begin);
}

}  // namespace pidforest::forest
