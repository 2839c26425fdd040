// SPDX-License-Identifier: Apache-2.0
// Reads the rows of Parquet files, through DuckDB, and of a query to a database.
#pragma once

#include "in/table_input.h"

namespace pidforest::cli {

/// As `read_batches`. Reports columns of types that are no features, such as lists, and leaves them out. No message
/// contains the password of the database.
TableNotes read_query(const TableFlags& flags, const ColumnSelection& selection, Work& work, const VisitBatch& visit);

}  // namespace pidforest::cli
