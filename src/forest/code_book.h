// SPDX-License-Identifier: Apache-2.0
// The cuts of a whole forest on each axis, in increasing order. The code of a value is the number of cuts that it
// reaches, so comparing small whole numbers is comparing the doubles themselves: exact, and up to eight times as many
// to a vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "forest/forest.h"

namespace pidforest::forest {

class CodeBook {
 public:
  explicit CodeBook(const Forest& forest);

  /// The cuts on an axis without repetitions, padded with infinities to 2^n_steps - 1 numbers for a binary search.
  struct AxisCuts {
    std::vector<double> cuts;
    unsigned n_steps = 0;
  };
  [[nodiscard]] const AxisCuts& axis(std::size_t axis) const { return axes_[axis]; }

  /// The codes of tree.cuts: a value reaches a cut if its code is at least the cut's.
  [[nodiscard]] const std::vector<std::uint32_t>& codes(std::size_t tree) const { return codes_[tree]; }

  /// The nodes of a tree that are not leaves, and those that are, in increasing order.
  [[nodiscard]] const std::vector<std::uint32_t>& inner_nodes(std::size_t tree) const { return inner_nodes_[tree]; }
  [[nodiscard]] const std::vector<std::uint32_t>& leaves(std::size_t tree) const { return leaves_[tree]; }

  /// No code is larger: what decides how many bits a code needs.
  [[nodiscard]] std::size_t largest_code() const { return largest_code_; }

 private:
  std::vector<AxisCuts> axes_;
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<std::vector<std::uint32_t>> inner_nodes_;
  std::vector<std::vector<std::uint32_t>> leaves_;
  std::size_t largest_code_ = 0;
};

/// Calls use(Code()) with the narrowest type that holds the codes of a book: std::int8_t, std::int16_t or std::int32_t.
template <class Use>
auto with_code_type(const CodeBook& book, const Use& use) {
  if (book.largest_code() < (1U << 8U)) return use(std::int8_t());
  if (book.largest_code() < (1U << 16U)) return use(std::int16_t());
  return use(std::int32_t());
}

}  // namespace pidforest::forest
