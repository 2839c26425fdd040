// SPDX-License-Identifier: Apache-2.0
#include "out/explained_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "out/printable.h"

namespace pidforest::cli {

namespace {

std::string numbers_from_one(const std::vector<std::uint64_t>& rows, const RowNumbers& numbers) {
  std::vector<std::uint64_t> from_one;
  for (const std::uint64_t row : rows) from_one.push_back(numbers.of(row) + 1);
  return fmt::format("{}", fmt::join(from_one, ", "));
}

std::string impostor_words(const std::vector<std::uint64_t>& rows, const RowNumbers& numbers) {
  return rows.empty() ? "none" : fmt::format("row{} {}", rows.size() == 1 ? "" : "s", numbers_from_one(rows, numbers));
}

std::string json_text(const std::string& text) { return nlohmann::json(text).dump(); }

}  // namespace

FindingPrinter::FindingPrinter(const Schema& schema, bool is_json, std::optional<SqlDialect> dialect, bool are_windows,
                               const RowNumbers& numbers, const RowNumbers& of_impostors)
    : schema_(schema),
      is_json_(is_json),
      dialect_(dialect),
      are_windows_(are_windows),
      numbers_(numbers),
      of_impostors_(of_impostors) {
  for (const ColumnSchema& column : schema.columns) quoted_.push_back(json_text(column.name));
}

std::string FindingPrinter::print(const Findings& found, const Finding& finding, const std::optional<std::string>& id) {
  witnesses_.resize(found.witnesses.size());
  std::optional<PrintedWitness>& witness = witnesses_[finding.witness];
  if (!witness) witness = printed(found.witness_of(finding));
  const std::string reason = printable(reason_in_words(finding, found.witness_of(finding), schema_));
  return is_json_ ? json_line(finding, *witness, reason, id) : paragraph(finding, *witness, reason, id);
}

FindingPrinter::PrintedWitness FindingPrinter::printed(const Witness& witness) const {
  const bool has_conditions = !witness.conditions.empty();
  PrintedWitness one{.has_conditions = has_conditions, .json = to_json(witness)};
  if (dialect_ && has_conditions)
    one.sql = are_windows_ ? "-- a window spans several rows; a table in SQL has no columns for it"
                           : to_sql(witness.conditions, schema_, *dialect_);
  return one;
}

std::string FindingPrinter::paragraph(const Finding& finding, const PrintedWitness& witness, const std::string& reason,
                                      const std::optional<std::string>& id) const {
  std::string text = fmt::format("row {}", numbers_.of(finding.row) + 1);
  if (id) text += fmt::format(" ({})", printable(*id));
  text += fmt::format(": {:.2f} bits{}\n", finding.bits, finding.is_anomaly.value_or(false) ? ", an anomaly" : "");
  if (witness.has_conditions) text += fmt::format("  because    {}\n", reason);
  text += fmt::format("  columns    {}\n", printable(to_words(finding.columns, schema_, finding.bits)));
  if (finding.normal_if && !finding.normal_if->empty())
    text += fmt::format("  normal if  {}\n", printable(to_words(*finding.normal_if, schema_)));
  if (finding.impostors && witness.has_conditions)
    text += fmt::format("  impostors  {}\n", impostor_words(*finding.impostors, of_impostors_));
  if (witness.sql) text += fmt::format("  SQL        {}\n", printable(*witness.sql));
  return text + "\n";
}

std::string FindingPrinter::json_line(const Finding& finding, const PrintedWitness& witness, const std::string& reason,
                                      const std::optional<std::string>& id) const {
  fmt::memory_buffer line;
  const auto out = std::back_inserter(line);
  fmt::format_to(out, R"({{"row": {})", numbers_.of(finding.row) + 1);
  if (id) fmt::format_to(out, R"(, "id": {})", json_text(*id));
  fmt::format_to(out, R"(, "score": {}, "is_anomaly": {})", finding.bits,
                 finding.is_anomaly ? (*finding.is_anomaly ? "true" : "false") : "null");
  fmt::format_to(out, R"(, "reason": {}, "witness": {}, "column_bits": [)", json_text(reason), witness.json);
  for (std::size_t i = 0; i < finding.columns.size(); ++i)
    fmt::format_to(out, R"({}{{"column": {}, "bits": {}}})", i > 0 ? ", " : "", quoted_[finding.columns[i].column],
                   finding.columns[i].bits);
  fmt::format_to(out, "]");
  if (finding.normal_if) fmt::format_to(out, R"(, "normal_if": {})", to_json(*finding.normal_if));
  if (finding.impostors)
    fmt::format_to(out, R"(, "impostors": [{}])", numbers_from_one(*finding.impostors, of_impostors_));
  if (witness.sql) fmt::format_to(out, R"(, "sql": {})", json_text(*witness.sql));
  fmt::format_to(out, "}}\n");
  return fmt::to_string(line);
}

}  // namespace pidforest::cli
