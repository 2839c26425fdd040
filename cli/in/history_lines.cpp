// SPDX-License-Identifier: Apache-2.0
#include "in/history_lines.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "in/lines_in.h"
#include "in/table_input.h"
#include "pidforest/table.h"
#include "values/time_text.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string time_text(const Column& column, std::size_t row) {
  return values::date_time_text(column.time(row), ' ', values::Fractions::exact) + (column.are_local ? "" : "Z");
}

Json value_at(const Column& column, std::size_t row) {
  switch (column.type) {
    case ColumnType::text:
      return column.text(row).data() == nullptr ? Json(nullptr) : Json(std::string(column.text(row)));
    case ColumnType::time:
      return column.time(row) == Column::missing_time ? Json(nullptr) : Json(time_text(column, row));
    case ColumnType::boolean:
      return std::isnan(column.number(row)) ? Json(nullptr) : Json(column.number(row) != 0);
    default:
      return std::isnan(column.number(row)) ? Json(nullptr) : Json(column.number(row));
  }
}

std::string json_line(const Table& batch, std::size_t row) {
  Json members = Json::object();
  for (const Column& column : batch.columns()) members[column.name] = value_at(column, row);
  return members.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void for_each_line_of_history(const TableFlags& history, Work& work,
                              const std::function<void(std::string_view line, std::uint64_t number)>& visit) {
  if (history.is_query() || history.is_parquet()) {
    std::uint64_t number = 0;
    (void)read_batches(history, {}, work, [&](const Table& batch, const RowNumbers&) {
      for (std::size_t row = 0; row < batch.n_rows(); ++row) visit(json_line(batch, row), ++number);
    });
    return;
  }
  LinesIn lines(history.file, work.run(), LinesIn::LastLine::is_whole);
  while (const std::optional<std::string_view> line = lines.next()) visit(*line, lines.n_lines());
}

}  // namespace pidforest::cli
