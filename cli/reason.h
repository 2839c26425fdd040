// SPDX-License-Identifier: Apache-2.0
// Why rows are rare: what a model's explainer says of them, for people and for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pidforest/batches.h"
#include "pidforest/explainer.h"
#include "pidforest/model.h"
#include "pidforest/run.h"
#include "pidforest/table.h"
#include "pidforest/table_store.h"

namespace pidforest::cli {

struct ColumnBits {
  std::string column;
  double bits;
};

struct Reason {
  Witness witness;
  /// Of the columns that have any, the most first.
  std::vector<ColumnBits> columns;
};

/// The reason of row `i` of those that were explained.
Reason reason_of(const Explanations& explained, std::size_t i, const Schema& schema);

/// The witness; for a row without one the columns that make up most of its bits, at most three, with its values. Safe
/// to show.
std::string words_of(const Reason& reason, const Schema& schema, const Table& row, double bits);

/// "memory > 70.7 and disk_queue > 3: 3 rows, 518 expected". Safe to show.
std::string few_words_of(const Witness& witness, const Schema& schema);
/// The same as words_of in few.
std::string few_words_of(const Reason& reason, const Schema& schema, const Table& row, double bits);

/// "temperature 91.3 (+4.2 bits), fan 812 (+1.9)": the columns that matter with the row's values. Safe to show.
std::string column_words(const Reason& reason, const Table& row, double bits);

nlohmann::ordered_json witness_as_json(const Witness& witness);
/// A list of objects with column and bits.
nlohmann::ordered_json column_bits_as_json(const Reason& reason);

/// Some rows of a table by their numbers, which increase; all their columns.
TableStore rows_at(const Batches& table, const std::vector<std::uint64_t>& numbers);

}  // namespace pidforest::cli
