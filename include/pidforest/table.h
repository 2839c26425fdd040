// SPDX-License-Identifier: Apache-2.0
// Tables: columns in memory, rows that come a batch at a time, and copies that may be larger than memory.
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

/// The same rows in the same order each time they are asked for. How they are cut into batches changes no result.
class Batches {
 public:
  virtual ~Batches() = default;

  [[nodiscard]] virtual std::size_t n_rows() const = 0;
  /// The columns without rows: their names and types, which are those of every batch.
  [[nodiscard]] virtual Table columns() const = 0;
  /// Calls `visit` with each batch; a batch is valid during the call only. What `visit` throws reaches the caller.
  virtual void for_each(const std::function<void(const Table& batch)>& visit) const = 0;
  /// The same for one column alone: calls `visit` with its parts, one after the other, and their numbers of rows.
  virtual void for_each_part(std::size_t column,
                             const std::function<void(const Column& part, std::size_t n_rows)>& visit) const {
    for_each([&](const Table& batch) { visit(batch.columns()[column], batch.n_rows()); });
  }
  /// The whole table, where it is in memory anyway.
  [[nodiscard]] virtual const Table* in_memory() const { return nullptr; }
};

/// A table in memory as one batch; views it.
class TableBatches : public Batches {
 public:
  explicit TableBatches(const Table& table) : table_(table) {}

  [[nodiscard]] std::size_t n_rows() const override { return table_.n_rows(); }
  [[nodiscard]] Table columns() const override { return table_.rows(0, 0); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override { visit(table_); }
  [[nodiscard]] const Table* in_memory() const override { return &table_; }

 private:
  const Table& table_;
};

class TableStore : public Batches {
 public:
  struct Limits {
    /// Beyond this many bytes of values batches go to a file.
    std::size_t memory = std::size_t{128} << 20;
    /// Where the file is, which has no name and is gone with the store; empty: TMPDIR, or else /tmp.
    std::string folder = {};
    /// Appended rows are gathered to batches of at least this many.
    std::size_t batch_rows = 65'536;
  };

  TableStore();
  explicit TableStore(Limits limits);
  ~TableStore() override;
  TableStore(TableStore&&) noexcept;
  TableStore& operator=(TableStore&&) noexcept;
  TableStore(const TableStore&) = delete;
  TableStore& operator=(const TableStore&) = delete;

  /// Copies the rows of `table`. All tables must have the same columns; one that has had missing values only may turn
  /// out to be of another type. Throws InvalidInput, or FileError when the file cannot be written.
  void append(const Table& table);

  [[nodiscard]] std::size_t n_rows() const override;
  [[nodiscard]] Table columns() const override;
  /// Throws FileError when the file cannot be read.
  void for_each(const std::function<void(const Table& batch)>& visit) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Some rows of a table by their numbers from 0, which increase; all their columns.
TableStore rows_at(const Batches& table, std::span<const std::uint64_t> numbers);

/// Row i comes weights[i] times, one after the other, and not at all where that is 0; it is so in memory for a batch at
/// a time only. Messages number the rows as they come. Views both.
class RepeatedBatches : public Batches {
 public:
  /// Throws InvalidInput unless there is one weight per row and their sum is at most 2^40.
  RepeatedBatches(const Batches& batches, std::span<const std::uint64_t> weights);

  [[nodiscard]] std::size_t n_rows() const override { return n_rows_; }
  [[nodiscard]] Table columns() const override { return batches_.columns(); }
  void for_each(const std::function<void(const Table& batch)>& visit) const override;
  void for_each_part(std::size_t column,
                     const std::function<void(const Column& part, std::size_t n_rows)>& visit) const override;

 private:
  const Batches& batches_;
  std::span<const std::uint64_t> weights_;
  std::size_t n_rows_ = 0;
};

}  // namespace pidforest
