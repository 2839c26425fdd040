// SPDX-License-Identifier: Apache-2.0
// The cuts of a whole forest on each axis, in increasing order. The code of a value is the number of cuts that it
// reaches, so comparing codes is equivalent to comparing the doubles; a code has only as many bits as the number of
// cuts needs. The cuts of a category are the ends of its pieces: levels with the same code go the same way in every
// tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "forest/forest.h"

namespace pidforest::forest {

class CodeBook {
 public:
  explicit CodeBook(const Forest& forest);

  /// The distinct cuts on an axis, padded with infinities to 2^n_bits - 1 numbers for a binary search.
  struct AxisCuts {
    std::vector<double> cuts;
    /// `cuts` in the order of the search: its step s, from 0, compares with one of the 2^s numbers from
    /// search[2^s] on, and the bits of the code that are already known say with which. Padded to whole vectors.
    std::vector<double> search;
    unsigned n_bits = 0;
    bool is_category = false;
    /// The number of different codes.
    std::size_t n_codes = 1;
  };
  [[nodiscard]] const AxisCuts& axis(std::size_t axis) const { return axes_[axis]; }

  /// The number of bits of a code, equal for all axes: as many as the axis with the most cuts needs. Categories are not
  /// counted, because their codes are looked up and not compared.
  [[nodiscard]] unsigned n_bits() const { return n_bits_; }

  /// A node that is not a leaf. The codes of its cuts are the n_cuts * n_bits numbers from zero_bits[first_bit] on, cut
  /// by cut and lowest bit first: all ones if the bit is zero, and zero if it is one. The child for a code of a
  /// category is children[first_child + classes[first_class + code]]. If these tables would be much larger than the
  /// tree itself, they are left out; the child is then that of `level_of` the code.
  struct InnerNode {
    static constexpr std::uint32_t no_tables = std::numeric_limits<std::uint32_t>::max();

    std::uint32_t node;
    std::uint32_t first_bit = 0;
    std::uint32_t first_class = 0;
    std::uint32_t first_child = 0;
  };
  struct CodedNodes {
    std::vector<InnerNode> inner;
    std::vector<std::uint32_t> zero_bits;
    std::vector<std::uint32_t> leaves;
    /// Codes of an axis that this tree does not distinguish have the same class. Two small tables replace one with all
    /// codes of the forest for every node.
    std::vector<std::uint32_t> classes;
    std::vector<std::uint8_t> children;
  };
  /// The leaves and the other nodes of a tree, each in increasing order.
  [[nodiscard]] const CodedNodes& nodes(std::size_t tree) const { return nodes_[tree]; }

  /// For categories: a level that goes the same way as all levels with this code.
  [[nodiscard]] double level_of(std::size_t axis, std::uint32_t code) const {
    constexpr double before_all_levels = -1;
    return code == 0 ? before_all_levels : axes_[axis].cuts[code - 1];
  }

 private:
  void collect_cuts(const Forest& forest);
  [[nodiscard]] CodedNodes code_nodes(const Tree& tree) const;
  void add_cut(CodedNodes& nodes, std::uint32_t axis, double cut) const;
  class TreeClasses;

  std::vector<AxisCuts> axes_;
  unsigned n_bits_ = 0;
  std::vector<CodedNodes> nodes_;
};

}  // namespace pidforest::forest
