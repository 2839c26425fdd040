// SPDX-License-Identifier: Apache-2.0
#include "out/score_lines.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "flags/labels.h"
#include "out/csv_line.h"
#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

void refuse_taken(const Table& table, bool has_reason) {
  for (const Column& column : table.columns())
    if (column.name == "score" || column.name == "is_anomaly" || (has_reason && column.name == "reason"))
      throw InvalidInput(
          fmt::format("--append adds the columns {}; the table already has '{}'. Rename it, or use --id instead of "
                      "--append.",
                      has_reason ? "score, is_anomaly and reason" : "score and is_anomaly", column.name));
}

}  // namespace

std::string ScoreLines::header(const Table& table) const {
  if (flags_.json) return {};
  CsvLine line(flags_.delimiter, flags_.excel_safe);
  if (flags_.append) {
    refuse_taken(table, flags_.reason);
    for (const Column& column : table.columns()) line.add_text(column.name);
  } else {
    line.add_text(flags_.id.empty() ? "row" : flags_.id);
  }
  line.add_text("score");
  line.add_text("is_anomaly");
  if (flags_.reason) line.add_text("reason");
  return line.take();
}

std::string ScoreLines::line(const Table& batch, std::size_t i, std::uint64_t number, const Said& said) const {
  return flags_.json ? json(batch, i, number, said) : csv(batch, i, number, said);
}

std::string ScoreLines::csv(const Table& batch, std::size_t i, std::uint64_t number, const Said& said) const {
  CsvLine line(flags_.delimiter, flags_.excel_safe);
  if (flags_.append)
    for (const Column& column : batch.columns()) line.add_text(text_of(column, i));
  else if (flags_.id.empty())
    line.add_count(number + 1);
  else
    line.add_text(text_of(column_of(batch, flags_.id, "--id"), i));
  if (std::isnan(said.score))
    line.add_text("");
  else
    line.add_number(said.score);
  const std::optional<bool> is_anomaly = rule_.is_anomaly(said.score, said.is_suppressed);
  line.add_text(!is_anomaly ? "" : *is_anomaly ? "1" : "0");
  if (flags_.reason) line.add_text(said.reason);
  return line.take();
}

std::string ScoreLines::json(const Table& batch, std::size_t i, std::uint64_t number, const Said& said) const {
  using Json = nlohmann::ordered_json;
  Json line = Json::object();
  line["row"] = number + 1;
  if (!flags_.id.empty()) line["id"] = text_of(column_of(batch, flags_.id, "--id"), i);
  line["score"] = said.score;
  const std::optional<bool> is_anomaly = rule_.is_anomaly(said.score, said.is_suppressed);
  line["is_anomaly"] = is_anomaly ? Json(*is_anomaly) : Json(nullptr);
  if (flags_.reason) line["reason"] = said.reason.empty() ? Json(nullptr) : Json(said.reason);
  return line.dump() + "\n";
}

}  // namespace pidforest::cli
