// SPDX-License-Identifier: Apache-2.0
#include "table/value.h"

#include <fmt/format.h>

#include <cmath>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/number_text.h"
#include "values/number_words.h"
#include "values/read_text.h"
#include "values/time_text.h"

namespace pidforest::table {

bool is_missing(const Column& column, std::size_t row) {
  switch (column.type) {
    case ColumnType::text:
      return column.text(row).empty();
    case ColumnType::time:
      return column.time(row) == Column::missing_time;
    default:
      return std::isnan(column.number(row));
  }
}

bool are_missing(const Column& column, std::size_t n_rows) {
  for (std::size_t row = 0; row < n_rows; ++row)
    if (!is_missing(column, row)) return false;
  return true;
}

double number_at(const Column& column, std::size_t row) {
  if (column.type != ColumnType::text) return column.number(row);
  const values::NumberReading reading = values::read_number(column.text(row), column.decimal);
  if (reading.is_beyond_double())
    refuse(
        column, row,
        {.demand = reading.demand(), .remedy = "Declare the column a category if it is a name rather than a number."});
  if (reading.form == values::NumberReading::Form::no_number)
    refuse(
        column, row,
        {.demand = reading.demand(), .remedy = "Leave it empty if it is missing, or declare the column a category."});
  return reading.value;
}

std::string shown(const Column& column, std::size_t row) {
  switch (column.type) {
    case ColumnType::text:
      return values::excerpt(column.text(row));
    case ColumnType::time:
      return fmt::format("{} microseconds since 1970", column.time(row));
    case ColumnType::boolean:
      return column.number(row) == 0 ? "false" : "true";
    default:
      return values::shortest_text(column.number(row));
  }
}

std::string value_words(const Column& column, std::size_t row) {
  if (is_missing(column, row)) return "missing";
  if (column.type == ColumnType::time) return values::date_time_text(column.time(row), ' ', values::Fractions::exact);
  if (column.type != ColumnType::number) return shown(column, row);
  constexpr int n_digits_shown = 6;
  constexpr int all_digits = 17;
  const double number = column.number(row);
  return values::number_words(number, number == std::floor(number) ? all_digits : n_digits_shown);
}

std::string name_words(const Column& column, std::size_t row) {
  const bool is_number = column.type == ColumnType::number && !is_missing(column, row);
  return is_number ? values::shortest_text(column.number(row)) : value_words(column, row);
}

std::string key_of(const Column& column, std::size_t row) {
  if (is_missing(column, row)) return {};
  return column.type == ColumnType::text ? std::string(column.text(row)) : shown(column, row);
}

void refuse(const Column& column, std::size_t row, const Refusal& refusal) {
  throw InvalidInput(fmt::format("row {}, column '{}': {}; got '{}'.{}{}", column.first_row + row + 1,
                                 values::excerpt(column.name), refusal.demand, shown(column, row),
                                 refusal.remedy.empty() ? "" : " ", refusal.remedy));
}

}  // namespace pidforest::table
