// SPDX-License-Identifier: Apache-2.0
// The columns of an array table. Each column has its own pieces, with boundaries that differ between columns.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "arrow/array_part.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::arrow {

struct ArrayColumn {
  struct Chunk {
    /// The number of rows up to the end of this piece.
    std::size_t end = 0;
    ArrayPart part = {};
  };

  std::string name = {};
  ColumnType type = ColumnType::number;
  /// The schema implied by the type in memory, if it says more than `type`.
  std::optional<ColumnSchema> declared = {};
  /// No piece is empty.
  std::vector<Chunk> pieces = {};

  [[nodiscard]] std::size_t n_rows() const { return pieces.empty() ? 0 : pieces.back().end; }
  void append(ArrayPart part, std::size_t n_rows);
};

class ArrayColumns {
 public:
  /// Messages count rows from `first_row`.
  explicit ArrayColumns(std::size_t n_rows, std::size_t first_row = 0) : n_rows_(n_rows), first_row_(first_row) {}

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] const std::vector<ArrayColumn>& columns() const { return columns_; }

  /// Throws InvalidInput for a name that is empty or already used, and for a different number of rows.
  void add(ArrayColumn column);
  /// Keeps the memory that the columns view alive as long as this object.
  void keep(std::shared_ptr<const void> values) { kept_.push_back(std::move(values)); }

  /// True if all rows can be viewed at once without conversion.
  [[nodiscard]] bool are_viewed() const;
  /// Calls `visit` once with all rows if no conversion is needed, otherwise with at most `most_rows` at a time.
  void for_each(std::size_t most_rows, const std::function<void(const Table& batch)>& visit) const;
  /// Calls `visit` with the rows of one column, at most `most_rows` at a time.
  void for_each_part(std::size_t column, std::size_t most_rows,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const;

 private:
  /// Returns the column without values, starting at a row.
  [[nodiscard]] Column head(const ArrayColumn& column, std::size_t begin) const;

  std::size_t n_rows_;
  std::size_t first_row_;
  std::vector<ArrayColumn> columns_;
  std::unordered_set<std::string> names_;
  std::vector<std::shared_ptr<const void>> kept_;
};

}  // namespace pidforest::arrow
