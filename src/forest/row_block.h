// SPDX-License-Identifier: Apache-2.0
// A few hundred rows, column by column, in words of 64: a set of a word's rows is one 64-bit number.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "geometry/interval.h"

namespace pidforest::forest {

inline constexpr std::size_t word_rows = 64;
inline constexpr std::size_t block_words = 4;
inline constexpr std::size_t block_rows = word_rows * block_words;

/// A set of rows of one word: bit i is row i.
using RowSet = std::uint64_t;

class RowBlock {
 public:
  /// Room for blocks of rows with the axes of the root cube, which must outlive this.
  explicit RowBlock(std::span<const geometry::Interval> root);

  /// Loads up to block_rows rows beginning at `begin`. Columns without gaps are not copied: `rows` must outlive this.
  void load(const Rows& rows, std::size_t begin);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_words() const { return (n_rows_ + word_rows - 1) / word_rows; }
  /// The rows of a word that there are.
  [[nodiscard]] RowSet rows(std::size_t word) const;

  /// The values of an axis, 64 readable ones from each word's beginning.
  [[nodiscard]] const double* values(std::size_t axis, std::size_t word) const {
    return columns_[axis].values + word * word_rows;
  }
  [[nodiscard]] RowSet missing(std::size_t axis, std::size_t word) const { return columns_[axis].missing[word]; }
  /// The rows with a value beyond the root cube on some axis.
  [[nodiscard]] RowSet outside(std::size_t word) const { return outside_[word]; }

 private:
  struct LoadedColumn {
    const double* values = nullptr;
    std::array<RowSet, block_words> missing{};
  };

  std::span<const geometry::Interval> root_;
  std::vector<double> copies_;
  std::vector<LoadedColumn> columns_;
  std::array<RowSet, block_words> outside_{};
  std::size_t n_rows_ = 0;
};

}  // namespace pidforest::forest
