// SPDX-License-Identifier: Apache-2.0
// A few hundred rows as codes, axis by axis, in words of 64: a set of a word's rows is one 64-bit number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/rows.h"
#include "geometry/interval.h"

namespace pidforest::forest {

inline constexpr std::size_t word_rows = 64;
inline constexpr std::size_t block_words = 4;
inline constexpr std::size_t block_rows = word_rows * block_words;

/// A set of rows of one word: bit i is row i.
using RowSet = std::uint64_t;
/// A set of rows of a block.
using BlockSet = std::array<RowSet, block_words>;

/// Codes are kept with the least number of their type standing for 0: then all of its numbers can be used.
template <class Code>
class RowBlock {
 public:
  /// Both arguments must outlive the block.
  RowBlock(const CodeBook& book, std::span<const geometry::Interval> root);

  /// Encodes up to block_rows rows beginning at `begin`.
  void load(const Rows& rows, std::size_t begin);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_words() const { return (n_rows_ + word_rows - 1) / word_rows; }
  /// The rows that there are.
  [[nodiscard]] BlockSet rows() const;

  /// The codes of an axis, block_rows of them; the code of a missing value means nothing.
  [[nodiscard]] const Code* codes(std::size_t axis) const { return codes_.data() + axis * block_rows; }
  /// Whether any value of any axis is missing.
  [[nodiscard]] bool has_missing() const { return has_missing_; }
  [[nodiscard]] const BlockSet& missing(std::size_t axis) const { return missing_[axis]; }
  /// The rows with a value beyond the root cube on some axis.
  [[nodiscard]] const BlockSet& outside() const { return outside_; }

 private:
  const CodeBook& book_;
  std::span<const geometry::Interval> root_;
  std::vector<Code> codes_;
  std::vector<BlockSet> missing_;
  bool has_missing_ = false;
  BlockSet outside_{};
  std::size_t n_rows_ = 0;
};

}  // namespace pidforest::forest
