// SPDX-License-Identifier: Apache-2.0
// All rows of a table of text in memory.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/table_reader.h"

namespace pidforest::cli {

/// One column: numbers if `type` says so, otherwise texts; the other vector is empty.
struct OwnedColumn {
  std::string name;
  ColumnType type = ColumnType::number;
  std::vector<double> numbers = {};
  std::vector<std::string_view> texts = {};
};

/// Moved, not copied: texts are views of what it owns.
struct OwnedTable {
  std::vector<OwnedColumn> columns = {};
  std::size_t n_rows = 0;
  std::deque<std::string> texts = {};
  std::vector<std::string> not_in_schema = {};

  OwnedTable() = default;
  OwnedTable(OwnedTable&&) = default;
  OwnedTable& operator=(OwnedTable&&) = default;
  OwnedTable(const OwnedTable&) = delete;
  OwnedTable& operator=(const OwnedTable&) = delete;
  ~OwnedTable() = default;

  /// A view of the values; valid as long as this is.
  [[nodiscard]] Table table() const;
};

OwnedTable read_table(TableReader reader);

}  // namespace pidforest::cli
