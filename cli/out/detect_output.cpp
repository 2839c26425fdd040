// SPDX-License-Identifier: Apache-2.0
#include "out/detect_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "out/option_value.h"
#include "out/printable.h"
#include "out/reason.h"
#include "out/text_width.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Cell {
  std::string text;
  bool is_left = false;
};
using Cells = std::vector<Cell>;

constexpr std::size_t longest_id = 40;

Cells headings(const Detection& found) {
  Cells cells{{"rank"}, {found.has_id ? "id" : "row", found.has_id}, {"bits"}};
  if (found.mark.is_anomaly(0)) cells.push_back({"anomaly"});
  if (found.has_labels) cells.push_back({"label"});
  return cells;
}

Cells cells_of(const Detection& found, std::size_t rank) {
  const DetectedRow& one = found.top[rank];
  Cells cells{{fmt::format("{}", rank + 1)},
              {found.has_id ? fitted(printable(one.id), longest_id) : fmt::format("{}", one.row + 1), found.has_id},
              {fmt::format("{:.2f}", one.bits)}};
  if (const auto is_anomaly = found.mark.is_anomaly(one.bits)) cells.push_back({*is_anomaly ? "*" : ""});
  if (one.label) cells.push_back({*one.label ? "1" : "0"});
  return cells;
}

std::vector<std::size_t> widths_of(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Cells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], text_width(cells[i].text));
  return widths;
}

std::string aligned(const Cells& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - text_width(cells[i].text), ' ');
    line += (cells[i].is_left ? cells[i].text + blanks : blanks + cells[i].text) + "  ";
  }
  return line;
}

/// Within a sequence that a terminal obeys: 1 is bold, 2 dim, 31 red.
std::string styled(const std::string& text, std::string_view codes) {
  return fmt::format("\x1B[{}m{}\x1B[0m", codes, text);
}

Json witness_as_json(const Witness& witness) { return Json::parse(to_json(witness)); }

Json row_as_json(const Detection& found, const DetectedRow& one, const Schema& schema) {
  Json line{{"row", one.row + 1}};
  if (found.has_id) line["id"] = one.id;
  line["score"] = one.bits;
  const std::optional<bool> is_anomaly = found.mark.is_anomaly(one.bits);
  line["is_anomaly"] = is_anomaly ? Json(*is_anomaly) : Json(nullptr);
  if (one.label) line["label"] = *one.label ? 1 : 0;
  line["reason"] = one.words;
  line["witness"] = witness_as_json(one.witness);
  line["column_bits"] = Json::array();
  for (const auto& [column, bits] : one.columns)
    line["column_bits"].push_back(Json{{"column", schema.columns[column].name}, {"bits", bits}});
  return line;
}

Json threshold_as_json(const Mark& mark) {
  const std::optional<double> border = mark.border();
  return border ? Json(*border) : Json(nullptr);
}

/// What all documents begin with.
Json head_as_json(const Detection& found) {
  Json document;
  document["options"] = options_as_json(found.options);
  document["preset"] = found.preset;
  document["n"] = found.n_rows;
  document["d"] = found.n_features;
  document["seed"] = found.options.seed;
  document["threshold"] = threshold_as_json(found.mark);
  return document;
}

void add_quality(const Detection& found, Json& document) {
  if (!found.has_labels) return;
  document["auc"] = found.quality ? Json(found.quality->auc) : Json(nullptr);
  document["average_precision"] = found.quality ? Json(found.quality->average_precision) : Json(nullptr);
}

std::string quality_words(const Detection& found) {
  if (!found.quality) return {};
  return fmt::format("AUC {:.3f}  average precision {:.3f}\n", found.quality->auc, found.quality->average_precision);
}

std::string reason_words(const Incident& incident, const Schema& schema) {
  if (incident.witness.conditions.empty()) return "no shared reason";
  return few_words_of(incident.witness, schema);
}

}  // namespace

std::string as_table(const Detection& found, const TableStyle& style) {
  if (found.top.empty() && !found.quality) return {};
  std::vector<Cells> lines{headings(found)};
  for (std::size_t rank = 0; rank < found.top.size(); ++rank) lines.push_back(cells_of(found, rank));
  const auto widths = widths_of(lines);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && lines.size() > 1; ++i) {
    const bool is_heading = i == 0;
    std::string line = aligned(lines[i], widths);
    const std::size_t room = style.width - std::min(style.width, text_width(line));
    line += is_heading ? "reason" : fitted(found.top[i - 1].few_words, room);
    const bool is_marked = !is_heading && found.mark.is_anomaly(found.top[i - 1].bits).value_or(false);
    if (style.in_colour && (is_heading || is_marked)) line = styled(line, is_heading ? "2" : "1;31");
    text += line + '\n';
  }
  return text + quality_words(found);
}

std::string as_json(const Detection& found, const Schema& schema) {
  Json document = head_as_json(found);
  document["top"] = Json::array();
  for (const DetectedRow& one : found.top) document["top"].push_back(row_as_json(found, one, schema));
  add_quality(found, document);
  return document.dump(2) + "\n";
}

std::string incidents_as_table(const Detection& found, std::size_t most, const Schema& schema,
                               const TableStyle& style) {
  std::vector<Cells> lines{{{"rank"}, {"anomalies"}, {"worst row"}, {"bits"}}};
  const std::size_t n = std::min(most, found.incidents.size());
  for (std::size_t i = 0; i < n; ++i) {
    const Incident& incident = found.incidents[i];
    lines.push_back({{fmt::format("{}", i + 1)},
                     {fmt::format("{}", incident.rows.size())},
                     {fmt::format("{}", found.anomalies[incident.rows.front()].row + 1)},
                     {fmt::format("{:.2f}", found.anomalies[incident.rows.front()].bits)}});
  }
  const auto widths = widths_of(lines);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && n > 0; ++i) {
    std::string line = aligned(lines[i], widths);
    const std::size_t room = style.width - std::min(style.width, text_width(line));
    line += i == 0 ? "reason" : fitted(reason_words(found.incidents[i - 1], schema), room);
    text += (style.in_colour && i == 0 ? styled(line, "2") : line) + '\n';
  }
  return text + quality_words(found);
}

std::string incidents_as_json(const Detection& found, const Schema& schema) {
  Json document = head_as_json(found);
  document["incidents"] = Json::array();
  for (const Incident& incident : found.incidents) {
    Json one{{"reason", reason_words(incident, schema)}, {"witness", witness_as_json(incident.witness)}};
    const TopRow& worst = found.anomalies[incident.rows.front()];
    one["worst"] = Json{{"row", worst.row + 1}, {"score", worst.bits}};
    one["rows"] = Json::array();
    for (const std::size_t place : incident.rows) one["rows"].push_back(found.anomalies[place].row + 1);
    document["incidents"].push_back(std::move(one));
  }
  add_quality(found, document);
  return document.dump(2) + "\n";
}

}  // namespace pidforest::cli
