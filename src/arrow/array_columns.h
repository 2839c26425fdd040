// SPDX-License-Identifier: Apache-2.0
// The columns of an array table, each in pieces that end where they please.
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
  struct Piece {
    /// The rows up to its end.
    std::size_t end = 0;
    Part part = {};
  };

  std::string name = {};
  ColumnType type = ColumnType::number;
  /// What the type in memory says of the meaning, where that is more than `type`.
  std::optional<ColumnSchema> declared = {};
  /// None of them is empty.
  std::vector<Piece> pieces = {};

  [[nodiscard]] std::size_t n_rows() const { return pieces.empty() ? 0 : pieces.back().end; }
  void append(Part part, std::size_t n_rows);
};

class ArrayColumns {
 public:
  /// Messages count rows from `first_row` on.
  explicit ArrayColumns(std::size_t n_rows, std::size_t first_row = 0) : n_rows_(n_rows), first_row_(first_row) {}

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] const std::vector<ArrayColumn>& columns() const { return columns_; }

  /// Throws InvalidInput for a name that is empty or taken, and for another number of rows.
  void add(ArrayColumn column);
  /// Keeps what the columns view as long as they are there.
  void keep(std::shared_ptr<const void> values) { kept_.push_back(std::move(values)); }

  /// Whether all rows can be shown at once without converting any.
  [[nodiscard]] bool are_viewed() const;
  /// Calls `visit` with all rows at once if that needs no converting, otherwise with at most `most_rows` at a time.
  void for_each(std::size_t most_rows, const std::function<void(const Table& batch)>& visit) const;
  /// Calls `visit` with the rows of one column, at most `most_rows` at a time.
  void for_each_part(std::size_t column, std::size_t most_rows,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const;

 private:
  /// The column without its values, from a row on.
  [[nodiscard]] Column head(const ArrayColumn& column, std::size_t begin) const;

  std::size_t n_rows_;
  std::size_t first_row_;
  std::vector<ArrayColumn> columns_;
  std::unordered_set<std::string> names_;
  std::vector<std::shared_ptr<const void>> kept_;
};

}  // namespace pidforest::arrow
