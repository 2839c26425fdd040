// SPDX-License-Identifier: Apache-2.0
// The sparsest cube around a row of a Boolean table: a depth-first search over the sets of columns on which other rows
// must equal it. Sets of rows are bit sets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exact/cell_table.h"
#include "exact/search.h"

namespace pidforest::exact {

/// Whether every axis has two levels and no missing values, or a single value.
bool is_boolean(const CellTable& table);

class BooleanSearch final : public RowSearch {
 public:
  /// Views the table, which must be Boolean.
  explicit BooleanSearch(const CellTable& table);

  FoundCube best_cube(std::uint32_t combination, const Limit& limit) override;

 private:
  using Words = std::vector<std::uint64_t>;

  /// An axis on which some of the current rows differ from the target, and their number.
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

  /// Evaluates the chosen axes, then those plus each of `columns`.
  void descend(std::span<const Column> columns);
  /// The columns that leave out rows of this level, the most rows first.
  void find_columns(std::span<const Column> columns, Level& level);
  /// A lower bound of |S| + log2(rows left) if at least one of these columns is added to the chosen ones.
  [[nodiscard]] double least_length(std::span<const Column> columns, const Level& level) const;
  void choose(std::uint32_t axis);
  void note_length(const Level& level);
  [[nodiscard]] std::uint64_t equal_word(std::uint32_t axis, std::size_t word) const;
  [[nodiscard]] FoundCube conclude() const;

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
  /// The bound at which the search stopped: no cube that was not evaluated is shorter.
  double open_length_ = 0;
};

}  // namespace pidforest::exact
