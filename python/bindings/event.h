// SPDX-License-Identifier: Apache-2.0
// One event as Python has it: a dict of values by the names of columns.
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

/// Reads dicts as tables of one row whose columns are always the same, in the same order. The table is kept from event
/// to event as long as the types of the values stay, and only its values are written.
class Event {
 public:
  [[nodiscard]] const std::vector<std::string>& columns() const { return names_; }
  void set_columns(std::vector<std::string> names);
  /// The columns are those of this event. Raises TypeError for keys that are no texts, ValueError if there are none.
  void take_columns(const nanobind::dict& event);
  /// What the columns mean, if it is known: a missing value then has a type that suits its column.
  void set_schema(const Schema* schema);

  /// The table views the dict's texts and is valid until the next call. Only where there are columns.
  /// Raises ValueError or TypeError that names the column for keys or values that cannot be.
  const Table& read(const nanobind::dict& event);

 private:
  struct Shape {
    ColumnType type = ColumnType::number;
    bool is_local = false;
    bool operator==(const Shape&) const = default;
  };

  [[nodiscard]] nanobind::handle value_of(const nanobind::dict& event, std::size_t column) const;
  void refuse_keys(const nanobind::dict& event) const;
  /// Writes the value and says what it is; nothing if it is missing.
  std::optional<Shape> write(std::size_t column, nanobind::handle value);
  std::optional<Shape> write_number(std::size_t column, nanobind::handle value);
  Shape write_time(std::size_t column, nanobind::handle value);
  void write_missing(std::size_t column);
  void make_table();

  std::vector<std::string> names_;
  /// The names as Python has them.
  std::vector<nanobind::object> keys_;
  std::vector<ColumnType> missing_types_;
  std::vector<Shape> shapes_;
  std::vector<double> numbers_;
  std::vector<std::string_view> texts_;
  std::vector<std::int64_t> times_;
  std::optional<Table> table_;
};

}  // namespace pidforest::python
