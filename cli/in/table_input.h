// SPDX-License-Identifier: Apache-2.0
// Reads a table from a file, standard input or a database, batch by batch, as the flags specify.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "in/table_flags.h"
#include "out/row_numbers.h"
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

/// Takes a batch, which is valid only during the call, and the numbers of its rows in the file.
using VisitBatch = std::function<void(const Table& batch, const RowNumbers& numbers)>;

/// --sample: how many rows to take, if not all, and the seed that chooses them.
struct SampleFlags {
  std::optional<std::size_t> n_rows = {};
  std::uint64_t seed = 0;
};

/// Calls `visit` with each batch; with a batch without rows if there are none. If the selection has a schema, only rows
/// that satisfy --where are visited. Reports the number of skipped rows at the end. Throws InvalidOption, FileError,
/// InvalidInput or Cancelled.
TableNotes read_batches(const TableFlags& flags, const ColumnSelection& selection, Work& work, const VisitBatch& visit);

struct ReadTable {
  TableStore rows;
  RowNumbers numbers;
  TableNotes notes;
};

/// Keeps all rows that satisfy --where, or a sample of them, so that nothing is read twice: a database might give other
/// rows, or another order. Throws also if lines leave out most keys, so that the rows take much more memory than the
/// file. `check` sees each batch as it is read.
ReadTable read_table(const TableFlags& flags, const ColumnSelection& selection, Work& work,
                     const SampleFlags& sample = {}, const std::function<void(const Table& batch)>& check = nullptr);

}  // namespace pidforest::cli
