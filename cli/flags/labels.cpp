// SPDX-License-Identifier: Apache-2.0
#include "flags/labels.h"

#include <fmt/format.h>

#include <cmath>

#include "pidforest/error.h"
#include "values/time_text.h"

namespace pidforest::cli {

const Column& column_of(const Table& table, const std::string& name, std::string_view flag) {
  std::vector<std::string_view> names;
  for (const Column& column : table.columns()) {
    if (column.name == name) return column;
    names.push_back(column.name);
  }
  throw InvalidInput(fmt::format("{} must name a column of the table; got '{}'. Available columns: {}.", flag, name,
                                 fmt::join(names, ", ")));
}

namespace {

std::string time_text_of(const Column& column, std::size_t row) {
  const std::int64_t time = column.time(row);
  if (time == Column::missing_time) return "";
  return values::date_time_text(time, ' ', values::Fractions::exact) + (column.are_local ? "" : "Z");
}

}  // namespace

void append_labels(const Column& column, std::size_t n_rows, std::vector<bool>& labels) {
  const bool is_text = column.type == ColumnType::text;
  Column numbers = column;  // A boolean is 0 or 1, too.
  if (column.type == ColumnType::boolean) numbers.type = ColumnType::number;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::string text = text_of(numbers, row);
    if (text != "0" && text != "1")
      throw InvalidInput(fmt::format("row {}, column '{}': a label must be 0 or 1; got {}.", labels.size() + 1,
                                     column.name, is_text || text.empty() ? "'" + text + "'" : text));
    labels.push_back(text == "1");
  }
}

std::string text_of(const Column& column, std::size_t row) {
  if (column.type == ColumnType::text) return std::string(column.text(row));
  if (column.type == ColumnType::time) return time_text_of(column, row);
  const double number = column.number(row);
  if (std::isnan(number)) return "";
  if (column.type == ColumnType::boolean) return number == 0 ? "false" : "true";
  return fmt::format("{}", number);
}

}  // namespace pidforest::cli
