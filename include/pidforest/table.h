// SPDX-License-Identifier: Apache-2.0
// Tables: columns in memory, rows that come a batch at a time, and copies that may be larger than memory.
//
//   const std::vector<double> amount = {12, 15, 9000};
//   const std::vector<std::string_view> country = {"DE", "AR", "DE"};
//   const pidforest::Table table(
//       3, {{"amount", amount.data()}, pidforest::Column::of_texts("country", country.data())});
//   std::cout << table.n_rows() << " rows, " << table.n_columns() << " columns";  // prints 3 rows, 2 columns
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] pidforest {

/// The type of a column's values in memory. The schema says what the values mean.
enum class ColumnType : std::uint8_t { number, boolean, text, time };

/// "numbers", "booleans", "texts" or "times": for messages.
std::string_view name_of(ColumnType type);

/// A view of one column. Value i is at place i * stride of the array for its type.
struct Column {
  std::string name;
  /// Numbers, and booleans as 0 and 1; NaN means missing.
  const double* first = nullptr;
  std::ptrdiff_t stride = 1;
  ColumnType type = ColumnType::number;
  /// Texts in UTF-8. A text without data (`std::string_view()`) is missing; an empty text (`""`) is a value.
  const std::string_view* texts = nullptr;
  /// Microseconds since 1970-01-01 00:00 UTC; `missing_time` means missing.
  const std::int64_t* times = nullptr;
  /// The times are local times in the zone of the schema instead of UTC, like texts without an offset.
  bool are_local = false;
  /// The decimal separator of numbers that are written as texts, '.' or ','.
  char decimal = '.';
  /// The number of the first row, from 0. If the column is a part of a longer one, messages count rows in the whole.
  std::size_t first_row = 0;

  static constexpr std::int64_t missing_time = std::numeric_limits<std::int64_t>::min();

  static Column of_texts(std::string name, const std::string_view* first, std::ptrdiff_t stride = 1);
  static Column of_times(std::string name, const std::int64_t* first, std::ptrdiff_t stride = 1);
  /// Zeros and ones; NaN means missing.
  static Column of_booleans(std::string name, const double* first, std::ptrdiff_t stride = 1);

  // Row `row` of a column of that type.
  [[nodiscard]] double number(std::size_t row) const { return first[static_cast<std::ptrdiff_t>(row) * stride]; }
  [[nodiscard]] std::string_view text(std::size_t row) const {
    return texts[static_cast<std::ptrdiff_t>(row) * stride];
  }
  [[nodiscard]] std::int64_t time(std::size_t row) const { return times[static_cast<std::ptrdiff_t>(row) * stride]; }

  /// A view of this column from row `begin` on.
  [[nodiscard]] Column from_row(std::size_t begin) const;
};

class Table;

/// Rows that can be read any number of times, one batch of columns after the other. Every pass gives the rows in the
/// same order; the size of the batches never changes a result.
class Batches {
 public:
  virtual ~Batches() = default;

  [[nodiscard]] virtual std::size_t n_rows() const = 0;
  /// A table without rows: the names and types of the columns, which every batch has.
  [[nodiscard]] virtual Table header() const = 0;
  /// Calls `visit` with each batch; a batch is valid only during that call. Exceptions of `visit` reach the caller.
  virtual void for_each(const std::function<void(const Table& batch)>& visit) const = 0;
  /// Calls `visit` with the parts of one column, in order, and the number of rows of each part.
  virtual void for_each_part(std::size_t column,
                             const std::function<void(const Column& part, std::size_t n_rows)>& visit) const;
  /// The whole table if it is in memory, or null.
  [[nodiscard]] virtual const Table* in_memory() const { return nullptr; }
};

/// Columns of equal length in memory that the caller owns: a single batch. Every function that takes `Batches` takes a
/// `Table`.
class Table final : public Batches {
 public:
  /// Throws InvalidInput for names that are empty or repeated. Every column must have `n_rows` values.
  Table(std::size_t n_rows, std::vector<Column> columns);

  /// Views rows that are stored one after the other, as in a C array. Default names: x0, x1, ... Throws InvalidInput if
  /// the values do not fill whole rows.
  static Table row_major(std::span<const double> values, std::size_t n_columns, std::vector<std::string> names = {});
  /// Views columns that are stored one after the other, as in Fortran.
  static Table column_major(std::span<const double> values, std::size_t n_columns, std::vector<std::string> names = {});

  [[nodiscard]] std::size_t n_rows() const override { return n_rows_; }
  [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  /// The rows from `begin` up to but not including `end`, as a view of the same values.
  [[nodiscard]] Table rows(std::size_t begin, std::size_t end) const;
  /// A view of these rows, numbered as rows of a longer table from `first_row` on.
  [[nodiscard]] Table numbered_from(std::size_t first_row) const;

  [[nodiscard]] Table header() const override { return rows(0, 0); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override { visit(*this); }
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override {
    visit(columns_[column], n_rows_);
  }
  [[nodiscard]] const Table* in_memory() const override { return this; }

 private:
  std::size_t n_rows_;
  std::vector<Column> columns_;
};

/// A copy of rows. Values beyond a limit of memory go to a temporary file.
class TableStore : public Batches {
 public:
  struct Limits {
    /// Batches beyond this many bytes of values go to the file.
    std::size_t memory = std::size_t{128} << 20;
    /// The folder of the file, which has no name and disappears with the store. Empty: TMPDIR, or else /tmp.
    std::string folder = {};
    /// Appended rows are collected into batches of at least this many rows, or of at least this many bytes: memory is
    /// a function of bytes, whatever the number of columns. Neither changes a result.
    std::size_t batch_rows = 65'536;
    std::size_t batch_bytes = std::size_t{64} << 20;
  };

  TableStore();
  explicit TableStore(Limits limits);
  ~TableStore() override;
  TableStore(TableStore&&) noexcept;
  TableStore& operator=(TableStore&&) noexcept;
  TableStore(const TableStore&) = delete;
  TableStore& operator=(const TableStore&) = delete;

  /// Copies the rows of `table`. All tables must have the same columns; a column with only missing values so far may
  /// take any type, and columns after those so far are missing in the rows before. Throws InvalidInput for other
  /// columns, and FileError if the file cannot be written.
  void append(const Table& table);

  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table header() const override;
  /// Throws FileError if the file cannot be read.
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  /// Reads no other column from the file. Throws FileError if the file cannot be read.
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A copy of the rows with these numbers, which count from 0 and increase.
TableStore rows_at(const Batches& table, std::span<const std::uint64_t> numbers);

/// Row i of `batches` repeated weights[i] times in a row; a weight of 0 leaves it out. Only one batch of repeated rows
/// is in memory at a time. Messages count the repeated rows. Views both arguments, which must outlive it.
class RepeatedBatches : public Batches {
 public:
  /// Throws InvalidInput unless there is one weight per row and their sum is at most 2^40.
  RepeatedBatches(const Batches& batches, std::span<const std::uint64_t> weights);
  RepeatedBatches(const Batches&& batches, std::span<const std::uint64_t> weights) = delete;

  [[nodiscard]] std::size_t n_rows() const override { return n_rows_; }
  [[nodiscard]] Table header() const override { return batches_.header(); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override;

 private:
  const Batches& batches_;
  std::span<const std::uint64_t> weights_;
  std::size_t n_rows_ = 0;
};

}  // namespace pidforest
