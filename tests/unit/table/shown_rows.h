// SPDX-License-Identifier: Apache-2.0
// Rows as text, for tests that compare tables.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <vector>

#include "pidforest/table.h"

namespace pidforest {

inline std::string shown(const Column& column, std::size_t i) {
  if (column.type == ColumnType::time) return fmt::format("time {}", column.time(i));
  if (column.type != ColumnType::text) return fmt::format("{} {}", name_of(column.type), column.number(i));
  return column.text(i).data() == nullptr ? "no text" : fmt::format("'{}'", column.text(i));
}

/// All rows with their numbers, as text.
inline std::vector<std::string> shown(const Batches& batches) {
  std::vector<std::string> rows;
  batches.for_each([&](const Table& batch) {
    for (std::size_t i = 0; i < batch.n_rows(); ++i) {
      std::vector<std::string> cells;
      for (const Column& column : batch.columns())
        cells.push_back(fmt::format("{} {}: {}", column.first_row + i, column.name, shown(column, i)));
      rows.push_back(fmt::format("{}", fmt::join(cells, ", ")));
    }
  });
  return rows;
}

/// The rows of one column, read by its parts.
inline std::vector<std::string> shown_parts(const Batches& batches, std::size_t column) {
  std::vector<std::string> rows;
  batches.for_each_part(column, [&](const Column& part, std::size_t n_rows) {
    for (std::size_t i = 0; i < n_rows; ++i)
      rows.push_back(fmt::format("{} {}: {}", part.first_row + i, part.name, shown(part, i)));
  });
  return rows;
}

}  // namespace pidforest
