// SPDX-License-Identifier: Apache-2.0
// A table as the cells of its rows, each combination once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "exact/axis_cells.h"

namespace pidforest::exact {

class CellTable {
 public:
  /// All axes must have the same number of rows.
  explicit CellTable(std::vector<AxisCells> axes, std::size_t n_rows);

  [[nodiscard]] const std::vector<AxisCells>& axes() const { return axes_; }
  [[nodiscard]] std::size_t n_rows() const { return combination_of_.size(); }
  [[nodiscard]] std::size_t n_combinations() const { return counts_.size(); }
  /// The combination of a row.
  [[nodiscard]] std::uint32_t combination_of(std::size_t row) const { return combination_of_[row]; }
  /// The number of rows of a combination.
  [[nodiscard]] double count_of(std::uint32_t combination) const { return counts_[combination]; }
  /// The cell of a combination on each axis.
  [[nodiscard]] std::span<const std::uint32_t> cells_of(std::uint32_t combination) const {
    return std::span(cells_).subspan(combination * axes_.size(), axes_.size());
  }

 private:
  std::vector<AxisCells> axes_;
  std::vector<std::uint32_t> combination_of_;
  std::vector<double> counts_;
  std::vector<std::uint32_t> cells_;
};

}  // namespace pidforest::exact
