// SPDX-License-Identifier: Apache-2.0
// Facts about one column of a table from which its schema is inferred or completed. Facts about pieces of the column
// merge in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/codec.h"
#include "schema/text_facts.h"
#include "schema/time_column.h"
#include "schema/time_facts.h"

namespace pidforest::schema {

class ColumnFacts {
 public:
  /// A value that the schema does not allow.
  struct Refused {
    std::size_t row = 0;
    std::string message = {};
  };

  /// Plain values, which can be written as bytes. Only the members that the column needs are set.
  struct Found {
    std::size_t n_rows = 0;
    /// For an inferred column of another type than text.
    std::size_t n_missing = 0;
    TextFacts texts = {};
    TimeFacts times = {};
    WrittenTimes written = {};
    std::unordered_set<std::string, TextHash, std::equal_to<>> levels = {};
    std::unordered_set<double> numbers = {};
    bool are_numbers = true;
    /// The refused value in the first row, if there is one.
    std::optional<Refused> refused = {};
  };

  /// The column is inferred if `declared` is null, and otherwise completed. `column` has its name and its type. Throws
  /// InvalidInput for a type that does not fit the kind.
  ColumnFacts(const ColumnSchema* declared, const Column& column);

  /// Whether the schema depends on the values.
  [[nodiscard]] bool needs_rows() const { return wanted_ != Wanted::nothing; }
  [[nodiscard]] bool is_inferred() const { return declared_ == nullptr; }
  /// Whether only missing values are counted, as for inferred numbers.
  [[nodiscard]] bool counts_missing() const { return wanted_ == Wanted::n_missing; }
  void add_missing(std::size_t n_rows, std::size_t n_missing);
  /// Adds rows in any order; `column.first_row` is the number of the first one. Never throws for a value.
  void add(const Column& column, std::size_t n_rows);
  /// Adds the facts of other rows of the same column.
  void merge(const Found& other);

  [[nodiscard]] const Found& found() const { return found_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] ColumnType type() const { return type_; }

  /// Throws InvalidInput for the refused value, if there is one.
  void check() const;
  /// The inferred or completed schema. Throws InvalidInput for a value that cannot be used.
  [[nodiscard]] ColumnSchema schema() const;

 private:
  /// What the values are read for.
  enum class Wanted : std::uint8_t {
    nothing,
    n_missing,
    text_facts,
    times,
    written_times,
    levels,
    numbers,
    encoding  ///< only whether the codec allows them
  };

  [[nodiscard]] static Wanted wanted_for(const ColumnSchema* declared, ColumnType type);
  void add_texts(const Column& column, std::size_t n_rows);
  void add_encoded(const Column& column, std::size_t n_rows);
  void add_value(const Column& column, std::size_t row);
  void add_number(const Column& column, std::size_t row);
  void refuse(std::size_t row, const std::string& message);

  [[nodiscard]] ColumnSchema inferred() const;
  [[nodiscard]] ColumnSchema completed() const;

  std::string name_;
  ColumnType type_;
  /// Null if the column is inferred. Shared, because codec and copies keep references to it.
  std::shared_ptr<const ColumnSchema> declared_;
  Wanted wanted_;
  std::shared_ptr<const TimeReader> reader_;
  std::shared_ptr<const Codec> codec_;
  Found found_;
};

/// The schema of an undeclared column.
ColumnSchema infer_column(const std::string& name, ColumnType type, const ColumnFacts::Found& facts);
/// The declared schema of a column with the parts that are left to the data.
ColumnSchema complete_column(const ColumnSchema& declared, ColumnType type, const ColumnFacts::Found& facts);

}  // namespace pidforest::schema
