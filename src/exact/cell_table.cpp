// SPDX-License-Identifier: Apache-2.0
#include "exact/cell_table.h"

#include <map>
#include <utility>

namespace pidforest::exact {

CellTable::CellTable(std::vector<AxisCells> axes, std::size_t n_rows) : axes_(std::move(axes)) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::uint32_t> cells(axes_.size());
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) cells[axis] = axes_[axis].of_row[row];
    const auto [found, is_new] = numbers.try_emplace(cells, static_cast<std::uint32_t>(counts_.size()));
    if (is_new) {
      counts_.push_back(0);
      cells_.insert(cells_.end(), cells.begin(), cells.end());
    }
    ++counts_[found->second];
    combination_of_.push_back(found->second);
  }
}

}  // namespace pidforest::exact
