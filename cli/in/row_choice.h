// SPDX-License-Identifier: Apache-2.0
// The rows of a table that --where and --sample choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::cli {

/// The columns that the conditions of --where name. Throws InvalidOption for words that are not conditions.
std::vector<std::string> columns_of_where(const std::string& where);

/// The meaning of these columns of a table, for conditions on them: infer_schema, but columns that no forest would use,
/// such as names of rows or a constant, have a meaning, too.
Schema schema_of_where(const Batches& rows, const Schema& declared, const std::vector<std::string>& columns);

/// The rows that satisfy the conditions of --where, batch by batch.
class RowsWhere {
 public:
  /// The schema must have the columns of the conditions. Throws InvalidInput that begins with the flag.
  RowsWhere(const std::string& where, const Schema& schema);

  /// The places of the rows of the next batch that satisfy them. Counts.
  std::vector<std::uint64_t> places_in(const Table& batch);
  /// "120 of 4,032 rows satisfy --where". Throws InvalidInput if none does, of at least one.
  [[nodiscard]] std::string summary() const;

 private:
  RowFilter filter_;
  std::string where_;
  std::uint64_t n_kept_ = 0;
  std::uint64_t n_rows_ = 0;
};

/// Some rows of a table: which ones is a matter of the seed and the number of rows only.
class RowSample {
 public:
  RowSample(std::size_t size, std::uint64_t seed) : size_(size), seed_(seed) {}

  /// The batches of the table, one after the other. `numbers` are those of the rows of the batch.
  void add(const Table& batch, const std::vector<std::uint64_t>& numbers);
  /// Ends. The rows are in the order of the table.
  TableStore take();
  /// Their numbers, after `take`.
  [[nodiscard]] const std::vector<std::uint64_t>& numbers() const { return numbers_; }
  /// How many rows the table has.
  [[nodiscard]] std::uint64_t n_rows() const { return n_rows_; }

 private:
  /// Leaves out the candidates that cannot be in the sample any more.
  void cut();

  std::size_t size_;
  std::uint64_t seed_;
  std::uint64_t n_rows_ = 0;
  TableStore candidates_;
  /// By candidate: a number that the seed draws for it. The sample has the smallest ones.
  std::vector<std::uint64_t> drawn_;
  std::vector<std::uint64_t> numbers_;
  std::uint64_t most_drawn_ = ~std::uint64_t{0};
};

}  // namespace pidforest::cli
