// SPDX-License-Identifier: Apache-2.0
// A view of the caller's rows and named columns; it owns no values and copies none.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pidforest {

/// One numeric column; NaN means missing. Value i is `first[i * stride]`.
struct Column {
  std::string name;
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;
};

class Table {
 public:
  /// All columns have `n_rows` values. Names must be distinct and not empty.
  Table(std::size_t n_rows, std::vector<Column> columns);

  /// Rows one after the other, as in a C array. Without names the columns are called x0, x1, ...
  static Table row_major(std::span<const double> values, std::size_t n_columns, std::vector<std::string> names = {});

  /// Columns one after the other, as in Fortran.
  static Table column_major(std::span<const double> values, std::size_t n_columns, std::vector<std::string> names = {});

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  /// The rows from `begin` up to but not including `end`, as a view of the same values.
  [[nodiscard]] Table rows(std::size_t begin, std::size_t end) const;

 private:
  std::size_t n_rows_;
  std::vector<Column> columns_;
};

}  // namespace pidforest
