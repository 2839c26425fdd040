// SPDX-License-Identifier: Apache-2.0
// A view of the caller's rows and named columns; it owns no values and copies none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pidforest {

/// What the values of a column are in memory; what they mean is the schema's to say.
enum class ColumnType : std::uint8_t { number, boolean, text, time };

/// "numbers", "booleans", "texts" or "times": for messages.
std::string_view name_of(ColumnType type);

/// One column. Value i is at place i * stride of the array that belongs to its type.
struct Column {
  std::string name;
  /// Numbers, and booleans as 0 and 1; NaN means missing.
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;
  ColumnType type = ColumnType::number;
  /// Texts in UTF-8; one without data (`std::string_view()`) is missing, an empty one (`""`) is not.
  const std::string_view* texts = nullptr;
  /// Microseconds since 1970-01-01 00:00 UTC; `missing_time` means missing.
  const std::int64_t* times = nullptr;
  /// The times are those of clocks on the wall instead, in the zone that the schema says, like texts without an offset.
  bool are_local = false;
  /// The number of its first row, from 0: where it is a part of a longer column, messages name rows of the whole.
  std::size_t first_row = 0;

  static constexpr std::int64_t missing_time = std::numeric_limits<std::int64_t>::min();

  static Column of_texts(std::string name, const std::string_view* first, std::ptrdiff_t stride = 1);
  static Column of_times(std::string name, const std::int64_t* first, std::ptrdiff_t stride = 1);
  static Column of_booleans(std::string name, const double* first, std::ptrdiff_t stride = 1);

  [[nodiscard]] double number(std::size_t row) const { return first[static_cast<std::ptrdiff_t>(row) * stride]; }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    return texts[static_cast<std::ptrdiff_t>(row) * stride];
  }
  [[nodiscard]] std::int64_t time(std::size_t row) const { return times[static_cast<std::ptrdiff_t>(row) * stride]; }

  /// The same column from row `begin` on.
  [[nodiscard]] Column from_row(std::size_t begin) const;
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
  /// The same rows, numbered as those of a longer table from `first_row` on.
  [[nodiscard]] Table numbered_from(std::size_t first_row) const;

 private:
  std::size_t n_rows_;
  std::vector<Column> columns_;
};

}  // namespace pidforest
