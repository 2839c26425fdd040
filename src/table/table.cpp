// SPDX-License-Identifier: Apache-2.0
#include "pidforest/table.h"

#include <fmt/format.h>

#include <array>
#include <unordered_set>

#include "pidforest/error.h"

namespace pidforest {

namespace {

void check_names(const std::vector<Column>& columns) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j].name.empty()) throw InvalidInput(fmt::format("column {} has no name.", j + 1));
    if (!seen.insert(columns[j].name).second)
      throw InvalidInput(fmt::format("two columns are named '{}'; names must differ.", columns[j].name));
  }
}

/// Returns the columns of a matrix. Neighbouring rows are `row_step` doubles apart, neighbouring columns `column_step`.
std::vector<Column> matrix_columns(const double* first, std::size_t n_columns, std::size_t row_step,
                                   std::size_t column_step, std::vector<std::string> names) {
  if (!names.empty() && names.size() != n_columns)
    throw InvalidInput(fmt::format("there must be {} names, one per column; got {}.", n_columns, names.size()));
  std::vector<Column> columns;
  columns.reserve(n_columns);
  for (std::size_t j = 0; j < n_columns; ++j)
    columns.push_back({names.empty() ? fmt::format("x{}", j) : std::move(names[j]), first + j * column_step,
                       static_cast<std::ptrdiff_t>(row_step)});
  return columns;
}

std::size_t n_rows_of(std::size_t n_values, std::size_t n_columns) {
  if (n_columns == 0) return 0;
  if (n_values % n_columns != 0)
    throw InvalidInput(fmt::format("{} values do not fill whole rows of {} columns.", n_values, n_columns));
  return n_values / n_columns;
}

}  // namespace

std::string_view name_of(ColumnType type) {
  constexpr std::array<std::string_view, 4> names{"numbers", "booleans", "text", "times"};
  return names[static_cast<std::size_t>(type)];
}

Column Column::of_texts(std::string name, const std::string_view* first, std::ptrdiff_t stride) {
  return {.name = std::move(name), .stride = stride, .type = ColumnType::text, .texts = first};
}

Column Column::of_times(std::string name, const std::int64_t* first, std::ptrdiff_t stride) {
  return {.name = std::move(name), .stride = stride, .type = ColumnType::time, .times = first};
}

Column Column::of_booleans(std::string name, const double* first, std::ptrdiff_t stride) {
  return {.name = std::move(name), .first = first, .stride = stride, .type = ColumnType::boolean};
}

Column Column::from_row(std::size_t begin) const {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(begin) * stride;
  Column column = *this;
  column.first_row += begin;
  if (first != nullptr) column.first += step;
  if (texts != nullptr) column.texts += step;
  if (times != nullptr) column.times += step;
  return column;
}

void Batches::for_each_part(std::size_t column,
                            const std::function<void(const Column& part, std::size_t n_rows)>& visit) const {
  for_each([&](const Table& batch) { visit(batch.columns()[column], batch.n_rows()); });
}

Table::Table(std::size_t n_rows, std::vector<Column> columns) : n_rows_(n_rows), columns_(std::move(columns)) {
  check_names(columns_);
}

Table Table::row_major(std::span<const double> values, std::size_t n_columns, std::vector<std::string> names) {
  const std::size_t n_rows = n_rows_of(values.size(), n_columns);
  return {n_rows, matrix_columns(values.data(), n_columns, n_columns, 1, std::move(names))};
}

Table Table::column_major(std::span<const double> values, std::size_t n_columns, std::vector<std::string> names) {
  const std::size_t n_rows = n_rows_of(values.size(), n_columns);
  return {n_rows, matrix_columns(values.data(), n_columns, 1, n_rows, std::move(names))};
}

Table Table::rows(std::size_t begin, std::size_t end) const {
  if (begin > end || end > n_rows_)
    throw InvalidInput(fmt::format("rows {} to {} are not within the {} rows of the table.", begin, end, n_rows_));
  Table slice = *this;
  slice.n_rows_ = end - begin;
  for (Column& column : slice.columns_) column = column.from_row(begin);
  return slice;
}

Table Table::numbered_from(std::size_t first_row) const {
  Table numbered = *this;
  for (Column& column : numbered.columns_) column.first_row = first_row;
  return numbered;
}

}  // namespace pidforest
