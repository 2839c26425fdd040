// SPDX-License-Identifier: Apache-2.0
#include "read_table.h"

#include <algorithm>

namespace pidforest::cli {

namespace {

/// A column without a value so far may turn out to be of texts.
void append(OwnedTable& table, OwnedColumn& column, const Column& more, std::size_t n_rows) {
  if (more.type == ColumnType::text && column.type == ColumnType::number) {
    column.type = ColumnType::text;
    column.texts.resize(column.numbers.size());
    column.numbers.clear();
  }
  if (column.type == ColumnType::number) column.numbers.insert(column.numbers.end(), more.first, more.first + n_rows);
  if (column.type == ColumnType::number) return;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::string_view text = more.text(row);
    column.texts.push_back(text.data() == nullptr ? text : table.texts.emplace_back(text));
  }
}

void append(OwnedTable& table, const Table& more) {
  for (std::size_t c = table.columns.size(); c < more.n_columns(); ++c)
    table.columns.push_back({.name = more.columns()[c].name});
  for (std::size_t c = 0; c < more.n_columns(); ++c) append(table, table.columns[c], more.columns()[c], more.n_rows());
  table.n_rows += more.n_rows();
}

}  // namespace

Table OwnedTable::table() const {
  std::vector<Column> views;
  views.reserve(columns.size());
  for (const OwnedColumn& column : columns)
    views.push_back(column.type == ColumnType::text ? Column::of_texts(column.name, column.texts.data())
                                                    : Column{column.name, column.numbers.data()});
  return {n_rows, std::move(views)};
}

OwnedTable read_table(TableReader reader) {
  OwnedTable table;
  while (const std::optional<Table> rows = reader.next()) append(table, *rows);
  table.not_in_schema = reader.not_in_schema();
  return table;
}

}  // namespace pidforest::cli
