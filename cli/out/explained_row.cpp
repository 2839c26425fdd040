// SPDX-License-Identifier: Apache-2.0
#include "out/explained_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "out/printable.h"

namespace pidforest::cli {

namespace {

std::string numbers_from_one(const std::vector<std::uint64_t>& rows) {
  std::vector<std::uint64_t> numbers;
  for (const std::uint64_t row : rows) numbers.push_back(row + 1);
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string impostor_words(const std::vector<std::uint64_t>& rows) {
  return rows.empty() ? "none" : fmt::format("row{} {}", rows.size() == 1 ? "" : "s", numbers_from_one(rows));
}

}  // namespace

std::string json_text(const std::string& text) { return nlohmann::json(text).dump(); }

RowPrinter::RowPrinter(const Schema& schema) : schema_(schema) {
  for (const ColumnSchema& column : schema.columns) quoted_.push_back(json_text(column.name));
}

std::string RowPrinter::paragraph(const ExplainedRow& row) const {
  std::string text = fmt::format("row {}", row.row + 1);
  if (row.id) text += fmt::format(" ({})", printable(*row.id));
  text += fmt::format(": {:.2f} bits{}\n", row.bits, row.is_anomaly.value_or(false) ? ", an anomaly" : "");
  const bool has_witness = !row.witness->words.empty();
  if (has_witness) text += fmt::format("  because    {}\n", row.witness->words);
  text += fmt::format("  columns    {}\n", row.column_words);
  if (row.normal_if && !row.normal_if->empty())
    text += fmt::format("  normal if  {}\n", printable(to_words(*row.normal_if, schema_)));
  if (row.impostors && has_witness) text += fmt::format("  impostors  {}\n", impostor_words(*row.impostors));
  if (row.witness->sql) text += fmt::format("  SQL        {}\n", printable(*row.witness->sql));
  return text + "\n";
}

std::string RowPrinter::json_line(const ExplainedRow& row) const {
  fmt::memory_buffer line;
  const auto out = std::back_inserter(line);
  fmt::format_to(out, R"({{"row": {})", row.row + 1);
  if (row.id) fmt::format_to(out, R"(, "id": {})", json_text(*row.id));
  fmt::format_to(out, R"(, "score": {}, "is_anomaly": {})", row.bits,
                 row.is_anomaly ? (*row.is_anomaly ? "true" : "false") : "null");
  fmt::format_to(out, R"(, "reason": {}, "witness": {}, "column_bits": [)",
                 row.witness->words.empty() ? json_text(row.column_words) : row.witness->quoted_words,
                 row.witness->json);
  for (std::size_t i = 0; i < row.columns.size(); ++i)
    fmt::format_to(out, R"({}{{"column": {}, "bits": {}}})", i > 0 ? ", " : "", quoted_[row.columns[i].column],
                   row.columns[i].bits);
  fmt::format_to(out, "]");
  if (row.normal_if) fmt::format_to(out, R"(, "normal_if": {})", to_json(*row.normal_if));
  if (row.impostors) fmt::format_to(out, R"(, "impostors": [{}])", numbers_from_one(*row.impostors));
  if (row.witness->sql) fmt::format_to(out, R"(, "sql": {})", json_text(*row.witness->sql));
  fmt::format_to(out, "}}\n");
  return fmt::to_string(line);
}

}  // namespace pidforest::cli
