// SPDX-License-Identifier: Apache-2.0
// One event from Python: a dict of values by column name.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::python {

/// Reads dicts as tables of one row, always with the same columns in the same order. As long as the types of the values
/// stay the same, the table is reused and only its values are written.
class Event {
 public:
  [[nodiscard]] const std::vector<std::string>& columns() const { return names_; }
  void set_columns(std::vector<std::string> names);
  /// Takes the columns from this event. Raises TypeError for keys that are not texts, ValueError if there are none.
  void take_columns(const nanobind::dict& event);
  /// Sets the schema, if known, so that a missing value gets a type that suits its column.
  void set_schema(const Schema* schema);

  /// Returns a table that views the dict's texts and is valid until the next call. The columns must be set. Raises
  /// ValueError or TypeError naming the column for invalid keys or values.
  const Table& read(const nanobind::dict& event);

 private:
  struct Shape {
    ColumnType type = ColumnType::number;
    bool is_local = false;
    bool operator==(const Shape&) const = default;
  };

  [[nodiscard]] nanobind::handle value_of(const nanobind::dict& event, std::size_t column) const;
  void refuse_keys(const nanobind::dict& event) const;
  /// Writes the value and returns its shape; nullopt if it is missing.
  std::optional<Shape> write(std::size_t column, nanobind::handle value);
  std::optional<Shape> write_number(std::size_t column, nanobind::handle value);
  Shape write_time(std::size_t column, nanobind::handle value);
  void write_missing(std::size_t column);
  void make_table();

  std::vector<std::string> names_;
  /// The names as Python objects.
  std::vector<nanobind::object> keys_;
  std::vector<ColumnType> missing_types_;
  std::vector<Shape> shapes_;
  std::vector<double> numbers_;
  std::vector<std::string_view> texts_;
  std::vector<std::int64_t> times_;
  std::optional<Table> table_;
};

}  // namespace pidforest::python
