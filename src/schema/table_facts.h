// SPDX-License-Identifier: Apache-2.0
// Facts about all columns of a table, from which its schema is inferred and completed. Facts about pieces of a table
// merge in any order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pidforest/distributed.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/column_facts.h"

namespace pidforest::schema {

class TableFacts {
 public:
  /// What becomes of declared columns: they are completed from the data, or stay as they are.
  enum class Declared { completed, unchanged };

  /// Throws InvalidInput for a contradiction in the schema, and for a declared column that the table does not have or
  /// whose type does not fit.
  TableFacts(const Table& header, const Schema& declared, Unnamed unnamed, Declared action = Declared::completed);

  /// Adds rows; their columns have the number of the first one.
  void add(const Table& batch);
  /// Adds the rows of all batches. Throws InvalidInput soon after a value that cannot be used.
  void add_all(const Batches& batches);
  /// Adds the facts of other rows of the same table, by column of the schema. Throws InvalidInput for another table.
  void merge(const TableFacts& other);

  /// The inferred and completed schema. Throws InvalidInput for the first column with a value that cannot be used.
  [[nodiscard]] Schema schema() const;

  /// A column of the schema.
  struct Own {
    /// Stays as it is if there are no facts.
    ColumnSchema given = {};
    /// The index of the column in the table.
    std::size_t place = 0;
    std::optional<ColumnFacts> facts = {};
  };
  [[nodiscard]] std::vector<Own>& columns() { return columns_; }
  [[nodiscard]] const std::vector<Own>& columns() const { return columns_; }

 private:
  void add_named(const ColumnSchema& declared, const Column* column, std::size_t place, Declared action);
  void add_numbers(const Table& batch);
  [[nodiscard]] bool infers() const;

  std::vector<Own> columns_;
  WrittenFormat format_;
  std::optional<WindowRecipe> windows_;
};

/// Fills in the parts of a schema that are left to the data: levels, zones, derivations, resolutions. Columns that the
/// schema does not name are ignored. Throws InvalidInput for a column that is missing from the table, for a type that
/// does not fit the kind, and for a value that the schema does not allow; the message gives row, column, allowed and
/// actual value.
Schema complete_schema(const Schema& schema, const Batches& batches);

}  // namespace pidforest::schema
