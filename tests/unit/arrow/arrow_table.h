// SPDX-License-Identifier: Apache-2.0
// Tables made from hand-made Arrow arrays, and their contents.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "made_arrow.h"
#include "pidforest/arrow.h"
#include "unit/table/complaint.h"
#include "unit/table/shown_rows.h"

namespace pidforest {

using Shown = std::vector<std::string>;

/// Checks on destruction that everything exported was released.
struct AllReleased {
  Ledger ledger = {};

  AllReleased() = default;
  AllReleased(const AllReleased&) = delete;
  AllReleased& operator=(const AllReleased&) = delete;
  ~AllReleased() { EXPECT_EQ(ledger.n_given, ledger.n_released); }
};

inline ArrayTable table_of(const std::vector<MadeArray>& batches, Ledger& ledger) {
  ArrowArrayStream stream = give_stream({.schema = batches.front(), .arrays = batches}, ledger);
  ArrayTable table = ArrayTable::from_arrow(&stream);
  EXPECT_EQ(stream.release, nullptr);
  return table;
}

inline MadeArray batch_of(const MadeArray& column) { return made_batch(column.length, {column.named("x")}); }

/// Returns the rows of one column without row numbers and the column name.
inline Shown shown_column(const std::vector<MadeArray>& pieces) {
  AllReleased all;
  std::vector<MadeArray> batches;
  for (const MadeArray& piece : pieces) batches.push_back(batch_of(piece));
  Shown rows = shown(table_of(batches, all.ledger));
  for (std::string& row : rows) row = row.substr(row.find(": ") + 2);
  return rows;
}

inline Shown shown_column(const MadeArray& column) { return shown_column(std::vector<MadeArray>{column}); }

inline ColumnType type_of(const MadeArray& column) {
  AllReleased all;
  return table_of({batch_of(column)}, all.ledger).header().columns().front().type;
}

inline std::vector<ColumnSchema> declared_of(const std::vector<MadeArray>& pieces) {
  AllReleased all;
  std::vector<MadeArray> batches;
  for (const MadeArray& piece : pieces) batches.push_back(batch_of(piece));
  return table_of(batches, all.ledger).declared().columns;
}

/// Returns the message of making a table of a column, or of reading it.
inline std::string complaint_of(const std::vector<MadeArray>& pieces) {
  return complaint([&] { (void)shown_column(pieces); });
}
inline std::string complaint_of(const MadeArray& column) { return complaint_of(std::vector<MadeArray>{column}); }

}  // namespace pidforest
