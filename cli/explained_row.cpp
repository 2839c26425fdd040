// SPDX-License-Identifier: Apache-2.0
#include "explained_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "printable.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string numbers_from_one(const std::vector<std::uint64_t>& rows) {
  std::vector<std::uint64_t> numbers;
  for (const std::uint64_t row : rows) numbers.push_back(row + 1);
  return fmt::format("{}", fmt::join(numbers, ", "));
}

/// "2 others: rows 17, 93".
std::string impostor_words(const ExplainedRow& row) {
  const std::size_t n_shown = row.impostors->size();
  // The row itself is inside too, if it is one of those that were counted.
  return n_shown == 0 ? "none" : fmt::format("row{} {}", n_shown == 1 ? "" : "s", numbers_from_one(*row.impostors));
}

}  // namespace

std::string as_paragraph(const ExplainedRow& row, const Schema& schema) {
  std::string text = fmt::format("row {}", row.row + 1);
  if (row.id) text += fmt::format(" ({})", printable(*row.id));
  text += fmt::format(": {:.2f} bits{}\n", row.bits, row.is_anomaly.value_or(false) ? ", an anomaly" : "");
  if (!row.reason.witness.conditions.empty()) text += fmt::format("  because    {}\n", row.words);
  text += fmt::format("  columns    {}\n", row.column_words);
  if (row.normal_if && !row.normal_if->empty())
    text += fmt::format("  normal if  {}\n", printable(to_words(*row.normal_if, schema)));
  if (row.impostors && !row.reason.witness.conditions.empty())
    text += fmt::format("  impostors  {}\n", impostor_words(row));
  if (row.sql) text += fmt::format("  SQL        {}\n", printable(*row.sql));
  return text + "\n";
}

std::string as_json_line(const ExplainedRow& row) {
  Json line{{"row", row.row + 1}};
  if (row.id) line["id"] = *row.id;
  line["score"] = row.bits;
  line["is_anomaly"] = row.is_anomaly ? Json(*row.is_anomaly) : Json(nullptr);
  line["reason"] = row.words;
  line["witness"] = witness_as_json(row.reason.witness);
  line["column_bits"] = column_bits_as_json(row.reason);
  if (row.normal_if) line["normal_if"] = Json::parse(to_json(*row.normal_if));
  if (row.impostors) {
    line["impostors"] = Json::array();
    for (const std::uint64_t other : *row.impostors) line["impostors"].push_back(other + 1);
  }
  if (row.sql) line["sql"] = *row.sql;
  return line.dump() + "\n";
}

}  // namespace pidforest::cli
