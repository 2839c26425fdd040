// SPDX-License-Identifier: Apache-2.0
// The forest's view of the data: rows of doubles, one strided column per axis, NaN for missing.
#pragma once

#include <cstddef>
#include <vector>

namespace pidforest::forest {

struct StridedColumn {
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;

  [[nodiscard]] double operator[](std::size_t row) const { return first[static_cast<std::ptrdiff_t>(row) * stride]; }
};

struct Rows {
  std::size_t n = 0;
  std::vector<StridedColumn> columns;

  /// True if the values of a row are adjacent, in the order of the columns.
  [[nodiscard]] bool are_contiguous() const {
    for (std::size_t j = 1; j < columns.size(); ++j)
      if (columns[j].first != columns[0].first + j || columns[j].stride != columns[0].stride) return false;
    return true;
  }
};

}  // namespace pidforest::forest
