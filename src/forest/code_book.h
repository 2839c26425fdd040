// SPDX-License-Identifier: Apache-2.0
// The cuts of a whole forest on each axis, in increasing order. The code of a value is the number of cuts that it
// reaches, so comparing codes is comparing the doubles themselves; a code has as many bits as the number of cuts needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "forest/forest.h"

namespace pidforest::forest {

class CodeBook {
 public:
  explicit CodeBook(const Forest& forest);

  /// The cuts on an axis without repetitions, padded with infinities to 2^n_bits - 1 numbers for a binary search.
  struct AxisCuts {
    std::vector<double> cuts;
    unsigned n_bits = 0;
  };
  [[nodiscard]] const AxisCuts& axis(std::size_t axis) const { return axes_[axis]; }

  /// The number of bits of a code: as many on every axis as the one with the most cuts needs.
  [[nodiscard]] unsigned n_bits() const { return n_bits_; }

  /// A node that is not a leaf. The codes of its cuts are its n_cuts * n_bits numbers from zero_bits[first_bit] on, cut
  /// by cut and lowest bit first: all ones where the bit is zero, and zero where it is one.
  struct InnerNode {
    std::uint32_t node;
    std::uint32_t first_bit;
  };
  struct CodedNodes {
    std::vector<InnerNode> inner;
    std::vector<std::uint32_t> zero_bits;
    std::vector<std::uint32_t> leaves;
  };
  /// The nodes of a tree in increasing order, those that are leaves and those that are not.
  [[nodiscard]] const CodedNodes& nodes(std::size_t tree) const { return nodes_[tree]; }

 private:
  void add_cut(CodedNodes& nodes, std::uint32_t axis, double cut) const;

  std::vector<AxisCuts> axes_;
  unsigned n_bits_ = 0;
  std::vector<CodedNodes> nodes_;
};

}  // namespace pidforest::forest
