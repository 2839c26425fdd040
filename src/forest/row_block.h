// SPDX-License-Identifier: Apache-2.0
// A block of a few hundred rows as codes in bit planes: a set of the block's rows is one vector of bits, and so is each
// bit of their codes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/rows.h"

namespace pidforest::forest {

inline constexpr std::size_t word_rows = 64;
inline constexpr std::size_t block_words = 8;
inline constexpr std::size_t block_rows = word_rows * block_words;

/// A set of 64 rows; bit i stands for row i.
using RowSet = std::uint64_t;
/// A set of rows of a block. It fills one cache line, so that no vector crosses a boundary.
struct alignas(64) BlockSet : std::array<RowSet, block_words> {};
static_assert(sizeof(BlockSet) == alignof(BlockSet));

/// With more codes than this, looking up the rows of a node one by one is faster.
inline constexpr std::size_t few_codes = 128;

class RowBlock {
 public:
  /// The axes whose codes are kept as numbers.
  enum class Codes { of_categories, of_all_axes };

  /// The code book must outlive the block.
  RowBlock(const CodeBook& book, const Forest& forest, Codes kept = Codes::of_categories);

  /// Encodes up to block_rows rows, starting at `begin`.
  void load(const Rows& rows, std::size_t begin);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  /// The set of rows that the block holds.
  [[nodiscard]] const BlockSet& rows() const { return rows_; }

  /// For each of n_bits() bits, lowest first: the rows whose codes have a one there. The code of a missing value is
  /// arbitrary.
  [[nodiscard]] std::span<const BlockSet> bits(std::size_t axis) const { return bits_[axis]; }
  /// The code of each row on a category axis, or on any axis if all codes are kept.
  [[nodiscard]] std::span<const std::uint32_t> codes(std::size_t axis) const { return codes_[axis]; }
  /// The rows with each code, on a category axis with few codes; empty if there are many.
  [[nodiscard]] std::span<const BlockSet> rows_with_code(std::size_t axis) const { return rows_with_code_[axis]; }
  [[nodiscard]] const BlockSet& missing(std::size_t axis) const { return missing_[axis]; }
  /// True if any value of any axis is missing.
  [[nodiscard]] bool has_missing() const { return has_missing_; }
  /// The rows with a value beyond the root cube of some tree, or with an isolated one.
  [[nodiscard]] const BlockSet& outside() const { return outside_; }

 private:
  const CodeBook& book_;
  Root common_root_;
  /// The axes on which missing values are isolated.
  std::vector<std::size_t> isolated_missing_;
  std::vector<std::vector<BlockSet>> bits_;
  /// Empty for axes whose codes are not kept.
  std::vector<std::vector<std::uint32_t>> codes_;
  std::vector<std::vector<BlockSet>> rows_with_code_;
  std::vector<BlockSet> missing_;
  bool has_missing_ = false;
  BlockSet outside_{};
  BlockSet rows_{};
  std::size_t n_rows_ = 0;
};

}  // namespace pidforest::forest
