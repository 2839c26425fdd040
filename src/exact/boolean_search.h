// SPDX-License-Identifier: Apache-2.0
// The sparsest cube that holds a row of the Boolean cube: depth first over the sets of columns on which rows must equal
// it, with the rows as sets of bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exact/cell_table.h"
#include "exact/search.h"

namespace pidforest::exact {

/// Whether every axis has two levels and no missing values, or but one value.
bool is_boolean(const CellTable& table);

class BooleanSearch final : public RowSearch {
 public:
  /// Views the table, which must be Boolean.
  explicit BooleanSearch(const CellTable& table);

  BestCube best_cube(std::uint32_t combination, const Limit& limit) override;

 private:
  using Words = std::vector<std::uint64_t>;

  /// An axis that tells some of the rows in question from the target, and how many.
  struct Column {
    std::uint32_t axis = 0;
    std::uint64_t n_left_out = 0;
  };
  /// The rows that equal the target on the chosen axes.
  struct Level {
    Words rows;
    std::uint64_t n_rows = 0;
    std::vector<Column> columns;
  };

  /// Looks at the chosen axes and then at more of `columns` besides them.
  void descend(std::span<const Column> columns);
  /// The columns that leave out rows of this level, those that leave out most first.
  void find_columns(std::span<const Column> columns, Level& level);
  /// The least that |S| + log2(rows left) can be with at least one of these columns besides the chosen ones.
  [[nodiscard]] double least_length(std::span<const Column> columns, const Level& level) const;
  void choose(std::uint32_t axis);
  void note_length(const Level& level);
  [[nodiscard]] std::uint64_t equal_word(std::uint32_t axis, std::size_t word) const;
  [[nodiscard]] BestCube conclude() const;

  const CellTable& table_;
  /// By axis: the rows that have the second level.
  std::vector<Words> ones_;
  std::span<const std::uint32_t> target_;
  /// log2 of the rows that equal the target on all axes.
  double log2_duplicates_ = 0;
  const Limit* limit_ = nullptr;
  std::uint64_t n_steps_ = 0;
  bool is_stopped_ = false;

  std::vector<Level> levels_;
  std::vector<std::uint32_t> chosen_;
  std::vector<std::uint32_t> best_;
  double best_length_ = 0;
  std::uint64_t best_n_inside_ = 0;
  /// Where the search was stopped: what it has not looked at is no shorter.
  double open_length_ = 0;
};

}  // namespace pidforest::exact
