// SPDX-License-Identifier: Apache-2.0
// A table for any schema, so that models and streams that a fuzzer made up can score rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::fuzz {

/// Values for each column of the schema: some of its levels, or numbers on both sides of 0. Views the schema.
class SchemaValues {
 public:
  static constexpr std::size_t n_rows = 48;  // enough for a block

  explicit SchemaValues(const Schema& schema) {
    for (const ColumnSchema& column : schema.columns) add(column);
  }
  [[nodiscard]] Table table() const { return {n_rows, columns_}; }

 private:
  void add(const ColumnSchema& column) {
    if (column.kind == Kind::time) {
      auto& times = times_.emplace_back();
      for (std::size_t row = 0; row < n_rows; ++row)
        times.push_back(static_cast<std::int64_t>(row * row) * 7'777'777'777);
      columns_.push_back(Column::of_times(column.name, times.data()));
    } else if (!column.levels.empty()) {
      auto& texts = texts_.emplace_back();
      for (std::size_t row = 0; row < n_rows; ++row)
        texts.push_back(row % 9 == 8 ? std::string_view() : column.levels[row % column.levels.size()]);
      columns_.push_back(Column::of_texts(column.name, texts.data()));
    } else {
      const bool is_boolean = column.kind == Kind::boolean;
      auto& numbers = numbers_.emplace_back();
      for (std::size_t row = 0; row < n_rows; ++row)
        numbers.push_back(is_boolean ? static_cast<double>(row % 2) : static_cast<double>(row) * 3 - 20);
      columns_.push_back({column.name, numbers.data()});
    }
  }

  std::deque<std::vector<double>> numbers_;
  std::deque<std::vector<std::string_view>> texts_;
  std::deque<std::vector<std::int64_t>> times_;
  std::vector<Column> columns_;
};

}  // namespace pidforest::fuzz
