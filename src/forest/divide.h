// SPDX-License-Identifier: Apache-2.0
// Reorders the rows of a node so that the rows of each child are side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "geometry/partition.h"

namespace pidforest::forest {

/// The largest number of children of a node: the groups of a partition and one child for missing values.
inline constexpr std::size_t max_children = geometry::max_groups + 1;

/// Assigns the positions borders[i] .. borders[i + 1] to the rows of child i, in order.
class PlacesByChild {
 public:
  explicit PlacesByChild(std::span<const std::size_t> borders) {
    std::copy(borders.begin(), borders.end() - 1, next_.begin());
  }

  std::size_t next(std::uint8_t child) { return next_[child]++; }

 private:
  std::array<std::size_t, max_children> next_{};
};

/// Copies the items at positions borders.front() .. borders.back().
template <class Item>
void copy_range(std::span<const Item> from, std::span<const std::size_t> borders, std::span<Item> to) {
  const auto part = from.subspan(borders.front(), borders.back() - borders.front());
  std::copy(part.begin(), part.end(), to.begin() + static_cast<std::ptrdiff_t>(borders.front()));
}

}  // namespace pidforest::forest
