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

void refuse_taken(const Table& table) {
  for (const Column& column : table.columns())
    if (column.name == "score" || column.name == "is_anomaly")
      throw InvalidInput(
          fmt::format("--append adds the columns score and is_anomaly; the table already has '{}'. Rename it, or use "
                      "--id instead of --append.",
                      column.name));
}

}  // namespace

std::string ScoreLines::header(const Table& table) const {
  if (flags_.json) return {};
  CsvLine line(flags_.delimiter, flags_.excel_safe);
  if (flags_.append) {
    refuse_taken(table);
    for (const Column& column : table.columns()) line.add_text(column.name);
  } else {
    line.add_text(flags_.id.empty() ? "row" : flags_.id);
  }
  line.add_text("score");
  line.add_text("is_anomaly");
  return line.take();
}

std::string ScoreLines::line(const Table& batch, std::size_t i, std::uint64_t number, double score,
                             bool is_suppressed) const {
  const Said said{score, rule_.is_anomaly(score, is_suppressed)};
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
  line.add_text(!said.is_anomaly ? "" : *said.is_anomaly ? "1" : "0");
  return line.take();
}

std::string ScoreLines::json(const Table& batch, std::size_t i, std::uint64_t number, const Said& said) const {
  nlohmann::ordered_json line = nlohmann::ordered_json::object();
  line["row"] = number + 1;
  if (!flags_.id.empty()) line["id"] = text_of(column_of(batch, flags_.id, "--id"), i);
  line["score"] = said.score;
  line["is_anomaly"] = said.is_anomaly ? nlohmann::ordered_json(*said.is_anomaly) : nlohmann::ordered_json(nullptr);
  return line.dump() + "\n";
}

}  // namespace pidforest::cli
