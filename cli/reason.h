// SPDX-License-Identifier: Apache-2.0
// Why rows are rare: what a model's explainer says of them, for people and for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pidforest/batches.h"
#include "pidforest/explainer.h"
#include "pidforest/model.h"
#include "pidforest/run.h"
#include "pidforest/table.h"
#include "pidforest/table_store.h"

namespace pidforest::cli {

/// What a column of the schema, by its place, gives a row.
struct ColumnBits {
  std::size_t column;
  double bits;
};

/// Of the columns that give row `i` any bits, the most first.
std::vector<ColumnBits> column_bits_of(const Explanations& explained, std::size_t i, std::size_t n_columns);

/// "temperature 91.3 (+4.2 bits), fan 812 (+1.9)": the columns that make up most of a row's bits, at most three, with
/// its values. Safe to show.
std::string column_words(const std::vector<ColumnBits>& columns, const Schema& schema, const Table& row, double bits);

/// "memory > 70.7 and disk_queue > 3: 3 rows, 518 expected". Safe to show.
std::string few_words_of(const Witness& witness, const Schema& schema);

/// Some rows of a table by their numbers, which increase; all their columns.
TableStore rows_at(const Batches& table, const std::vector<std::uint64_t>& numbers);

}  // namespace pidforest::cli
