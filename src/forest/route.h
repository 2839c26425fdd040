// SPDX-License-Identifier: Apache-2.0
// Which node each row ends at: whole sets of rows go down a tree together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/row_block.h"
#include "forest/tree.h"

namespace pidforest::forest {

/// Some rows of a word and the node at which they end: a leaf, or, for a row whose value is missing where the fit saw
/// none missing, the node that would ask for it.
struct Arrival {
  std::uint32_t node;
  RowSet rows;
};

/// The arrivals of one word: disjoint sets, none of them empty, so there are at most 64.
class Arrivals {
 public:
  void clear() { size_ = 0; }
  void add(std::uint32_t node, RowSet rows) { arrivals_[size_++] = {node, rows}; }
  [[nodiscard]] const Arrival* begin() const { return arrivals_.data(); }
  [[nodiscard]] const Arrival* end() const { return arrivals_.data() + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::array<Arrival, word_rows> arrivals_;
  std::size_t size_ = 0;
};

/// Sends the rows of a word down the tree.
void route(const Tree& tree, const RowBlock& block, std::size_t word, Arrivals& arrivals);

/// One step of one row's way: the child that it goes to, or the node itself if it ends there.
std::uint32_t child_towards(const Tree& tree, std::uint32_t number, const Rows& rows, std::size_t row);

/// Where one row ends, step by step: the specification of `route`.
std::uint32_t route_plain(const Tree& tree, const Rows& rows, std::size_t row);

}  // namespace pidforest::forest
