// SPDX-License-Identifier: Apache-2.0
// Chooses the cube that explains a row, by the counts of all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "reasons/cube_index.h"
#include "reasons/reasons.h"
#include "reasons/row_marks.h"

namespace pidforest::reasons {

/// The cubes of a forest with their net bits: bits minus a price of 1 for each condition. A cube is told as the best
/// of its subsets, so that no part of a reason says more than the reason.
class ReasonBook {
 public:
  /// The arguments must outlive this. `reasons` has been counted.
  ReasonBook(const forest::Forest& forest, const forest::CodeBook& codes, const Reasons& reasons);

  [[nodiscard]] const Reasons& reasons() const { return reasons_; }

  /// Chooses the cube that explains each row: the one with the most net bits among the leaves that it reaches and the
  /// products of its marks, told as the best of their subsets. Cube 0 if no cube has any. Ties go to the first tree.
  void choose(const forest::Rows& rows, std::span<std::uint32_t> chosen, const Run& run) const;

 private:
  class Block;

  void find_told();
  /// Net bits, by which cubes are compared. A single condition gets back the bits that its choice may have cost: a cube
  /// with more conditions must say more than the rarest part of one axis.
  [[nodiscard]] double worth_of(std::uint32_t cube) const;
  void offer_products(const std::vector<std::uint32_t>& marks, std::size_t first, std::uint32_t cube,
                      std::uint32_t& best) const;
  [[nodiscard]] std::uint32_t best_of_marks(const forest::Rows& rows, std::size_t row) const;

  const forest::Forest& forest_;
  const forest::CodeBook& codes_;
  const Reasons& reasons_;
  CubeIndex index_;
  std::vector<double> net_bits_;
  /// The best subset of each cube.
  std::vector<std::uint32_t> told_;
  /// The worth of what is told of each node, per tree.
  std::vector<std::vector<double>> worths_;
  std::vector<Ordinary> ordinary_;
};

}  // namespace pidforest::reasons
