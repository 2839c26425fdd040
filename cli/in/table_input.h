// SPDX-License-Identifier: Apache-2.0
// Reads a table from a file, standard input or a database, batch by batch, as the flags specify.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "in/table_flags.h"
#include "out/work.h"
#include "pidforest/reader.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::cli {

/// What reading a table tells of its columns.
struct TableNotes {
  /// The meaning that the types of Parquet files and databases declare.
  Schema declared;
  /// Columns that are not read because the schema does not name them.
  std::vector<std::string> not_in_schema;
};

/// Takes a batch, which is valid only during the call, and the number of rows before it.
using VisitBatch = std::function<void(const Table& batch, std::uint64_t first_row)>;

/// Calls `visit` with each batch; with a batch without rows if there are none. Reports the number of skipped rows at
/// the end. Throws InvalidOption, FileError, InvalidInput or Cancelled.
TableNotes read_batches(const TableFlags& flags, const ColumnSelection& selection, Work& work, const VisitBatch& visit);

struct ReadTable {
  TableStore rows;
  TableNotes notes;
};

/// Keeps all rows, so that nothing is read twice: a database might give other rows, or another order. Throws also if
/// lines leave out most keys, so that the rows take much more memory than the file.
ReadTable read_table(const TableFlags& flags, const ColumnSelection& selection, Work& work,
                     const VisitBatch& visit = nullptr);

}  // namespace pidforest::cli
