// SPDX-License-Identifier: Apache-2.0
#include "out/detect_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "flags/incident_flags.h"
#include "out/option_value.h"
#include "out/printable.h"
#include "out/text_width.h"
#include "values/number_words.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Cell {
  std::string text;
  bool is_left = false;
};
using Cells = std::vector<Cell>;

constexpr std::size_t longest_id = 40;

Cells headings(const Detection& detection) {
  const bool has_ids = !detection.ids.empty();
  Cells cells{{"rank"}, {has_ids ? "id" : "row", has_ids}, {"bits"}};
  if (detection.found.rule.limit()) cells.push_back({"anomaly"});
  if (!detection.labels.empty()) cells.push_back({"label"});
  return cells;
}

Cells cells_of(const Detection& detection, std::size_t rank) {
  const Finding& one = detection.found.rows[rank];
  const bool has_ids = !detection.ids.empty();
  Cells cells{{fmt::format("{}", rank + 1)},
              {has_ids ? fitted(printable(detection.ids[rank]), longest_id)
                       : fmt::format("{}", detection.numbers.of(one.row) + 1),
               has_ids},
              {fmt::format("{:.2f}", one.bits)}};
  if (one.is_anomaly) cells.push_back({*one.is_anomaly ? "*" : ""});
  if (!detection.labels.empty()) cells.push_back({detection.labels[one.row] ? "1" : "0"});
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

/// How a finding is put into words.
using Wording = std::string (*)(const Finding& finding, const Witness& witness, const Schema& schema);

/// The reason in words; safe to show.
std::string reason_of(const Detection& detection, const Finding& one, Wording words_of) {
  return printable(words_of(one, detection.found.witness_of(one), detection.model.schema()));
}

/// The reason of an incident; safe to show.
std::string reason_of(const Detection& detection, const Incident& incident,
                      std::string (*words_of)(const Witness& witness, const Schema& schema)) {
  const Witness& witness = detection.found.witness_of(incident);
  return witness.conditions.empty() ? "no shared reason" : printable(words_of(witness, detection.model.schema()));
}

/// "errors_per_min > 1: 7 rows".
std::string few_words_of(const Witness& witness, const Schema& schema) {
  return fmt::format("{}: {}", to_words(witness.conditions, schema), values::counted(witness.n_inside, "row"));
}

/// The rarest row of an incident in time.
const Finding& worst_of(const Detection& detection, const TimedIncident& incident) {
  return *std::ranges::find(detection.found.rows, incident.worst_rows.front(), &Finding::row);
}

/// "2014-02-08 06:20 value = 12.5: 3 rows below 20"; safe to show.
std::string worst_words(const Detection& detection, const TimedIncident& incident) {
  return fmt::format("{} {}", time_in_words(incident.worst, detection.timed->time),
                     reason_of(detection, worst_of(detection, incident), short_reason_in_words));
}

Json row_as_json(const Detection& detection, std::size_t rank) {
  const Finding& one = detection.found.rows[rank];
  Json line{{"row", detection.numbers.of(one.row) + 1}};
  if (!detection.ids.empty()) line["id"] = detection.ids[rank];
  line["score"] = one.bits;
  line["is_anomaly"] = one.is_anomaly ? Json(*one.is_anomaly) : Json(nullptr);
  if (!detection.labels.empty()) line["label"] = detection.labels[one.row] ? 1 : 0;
  line["reason"] = reason_of(detection, one, reason_in_words);
  line["witness"] = witness_as_json(detection.found.witness_of(one));
  line["column_bits"] = Json::array();
  for (const ColumnBits& some : one.columns)
    line["column_bits"].push_back(
        Json{{"column", detection.model.schema().columns[some.column].name}, {"bits", some.bits}});
  return line;
}

/// What all documents begin with.
Json head_as_json(const Detection& detection) {
  const std::optional<double> limit = detection.found.rule.limit();
  Json document = Json::object();
  document["options"] = options_as_json(detection.model.options());
  document["preset"] = detection.preset;
  document["n"] = detection.n_rows;
  document["d"] = detection.n_features;
  document["seed"] = detection.model.options().seed;
  document["threshold"] = limit ? Json(*limit) : Json(nullptr);
  return document;
}

void add_quality(const Detection& detection, Json& document) {
  if (detection.labels.empty()) return;
  document["auc"] = detection.quality ? Json(detection.quality->auc) : Json(nullptr);
  document["average_precision"] = detection.quality ? Json(detection.quality->average_precision) : Json(nullptr);
}

std::string quality_words(const Detection& detection) {
  if (!detection.quality) return {};
  return fmt::format("AUC {:.3f}  average precision {:.3f}\n", detection.quality->auc,
                     detection.quality->average_precision);
}

/// Whether the rows have a series key.
bool has_keys(const Detection& detection) {
  return std::ranges::any_of(detection.timed->incidents, [](const TimedIncident& one) { return !one.key.empty(); });
}

Cells timed_cells(const Detection& detection, std::size_t rank) {
  const TimedIncident& one = detection.timed->incidents[rank];
  const ColumnSchema& time = detection.timed->time;
  Cells cells{{fmt::format("{}", rank + 1)},
              {time_in_words(one.begin, time), true},
              {time_in_words(one.end, time) + (one.is_open ? " (open)" : ""), true}};
  if (has_keys(detection)) cells.push_back({fitted(printable(one.key), longest_id), true});
  cells.push_back({fmt::format("{}", one.n_anomalies)});
  cells.push_back({fmt::format("{:.2f}", one.bits)});
  cells.push_back({fitted(printable(fmt::format("{}", fmt::join(most_blamed(one), ", "))), longest_id), true});
  return cells;
}

std::string timed_as_table(const Detection& detection, std::size_t most, const TableStyle& style) {
  const std::size_t n = std::min(most, detection.timed->incidents.size());
  if (n == 0) return {};
  std::vector<Cells> lines{{{"rank"}, {"begin", true}, {"end", true}}};
  if (has_keys(detection)) lines[0].push_back({"key", true});
  for (const Cell& heading : Cells{{"anomalies"}, {"bits"}, {"metrics", true}}) lines[0].push_back(heading);
  for (std::size_t rank = 0; rank < n; ++rank) lines.push_back(timed_cells(detection, rank));
  const auto widths = widths_of(lines);
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string line = aligned(lines[i], widths);
    const std::size_t room = style.width - std::min(style.width, text_width(line));
    line += i == 0 ? "worst" : fitted(worst_words(detection, detection.timed->incidents[i - 1]), room);
    text += (style.in_colour && i == 0 ? styled(line, "2") : line) + '\n';
  }
  return text;
}

Json timed_as_json(const Detection& detection, const TimedIncident& incident) {
  const Finding& worst = worst_of(detection, incident);
  Json one{{"begin", time_in_utc(incident.begin)}, {"end", time_in_utc(incident.end)}};
  one["state"] = incident.is_open ? "open" : "closed";
  if (has_keys(detection)) one["key"] = incident.key;
  one["n_rows"] = incident.n_events;
  one["n_anomalies"] = incident.n_anomalies;
  one["first_row"] = detection.numbers.of(incident.first_row) + 1;
  one["last_row"] = detection.numbers.of(incident.last_row) + 1;
  one["metrics"] = Json::array();
  for (const Blame& blame : incident.blame)
    one["metrics"].push_back(Json{{"metric", blame.metric}, {"bits", blame.bits}});
  one["worst"] = Json{{"time", time_in_utc(incident.worst)},
                      {"row", detection.numbers.of(incident.worst_rows.front()) + 1},
                      {"score", incident.bits}};
  one["reason"] = printable(incident.reason);
  one["witness"] = witness_as_json(detection.found.witness_of(worst));
  return one;
}

}  // namespace

std::string as_table(const Detection& detection, const TableStyle& style) {
  const std::vector<Finding>& rows = detection.found.rows;
  if (rows.empty() && !detection.quality) return {};
  std::vector<Cells> lines{headings(detection)};
  for (std::size_t rank = 0; rank < rows.size(); ++rank) lines.push_back(cells_of(detection, rank));
  const auto widths = widths_of(lines);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && lines.size() > 1; ++i) {
    const bool is_heading = i == 0;
    std::string line = aligned(lines[i], widths);
    const std::size_t room = style.width - std::min(style.width, text_width(line));
    line += is_heading ? "reason" : fitted(reason_of(detection, rows[i - 1], short_reason_in_words), room);
    const bool is_marked = !is_heading && rows[i - 1].is_anomaly.value_or(false);
    if (style.in_colour && (is_heading || is_marked)) line = styled(line, is_heading ? "2" : "1;31");
    text += line + '\n';
  }
  return text + quality_words(detection);
}

std::string as_json(const Detection& detection) {
  Json document = head_as_json(detection);
  document["top"] = Json::array();
  for (std::size_t rank = 0; rank < detection.found.rows.size(); ++rank)
    document["top"].push_back(row_as_json(detection, rank));
  add_quality(detection, document);
  return document.dump(2) + "\n";
}

std::string incidents_as_table(const Detection& detection, std::size_t most, const TableStyle& style) {
  if (detection.timed) return timed_as_table(detection, most, style) + quality_words(detection);
  const std::vector<Incident>& incidents = detection.found.incidents;
  std::vector<Cells> lines{{{"rank"}, {"anomalies"}, {"worst row"}, {"bits"}}};
  const std::size_t n = std::min(most, incidents.size());
  for (std::size_t i = 0; i < n; ++i)
    lines.push_back({{fmt::format("{}", i + 1)},
                     {fmt::format("{}", incidents[i].rows.size())},
                     {fmt::format("{}", incidents[i].rows.front() + 1)},
                     {fmt::format("{:.2f}", incidents[i].bits)}});
  const auto widths = widths_of(lines);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && n > 0; ++i) {
    std::string line = aligned(lines[i], widths);
    const std::size_t room = style.width - std::min(style.width, text_width(line));
    line += i == 0 ? "reason" : fitted(reason_of(detection, incidents[i - 1], few_words_of), room);
    text += (style.in_colour && i == 0 ? styled(line, "2") : line) + '\n';
  }
  return text + quality_words(detection);
}

std::string incidents_as_json(const Detection& detection) {
  Json document = head_as_json(detection);
  document["incidents"] = Json::array();
  if (detection.timed) {
    for (const TimedIncident& incident : detection.timed->incidents)
      document["incidents"].push_back(timed_as_json(detection, incident));
    add_quality(detection, document);
    return document.dump(2) + "\n";
  }
  for (const Incident& incident : detection.found.incidents) {
    Json one{{"reason", reason_of(detection, incident, to_words)},
             {"witness", witness_as_json(detection.found.witness_of(incident))}};
    one["worst"] = Json{{"row", detection.numbers.of(incident.rows.front()) + 1}, {"score", incident.bits}};
    one["rows"] = Json::array();
    for (const std::uint64_t row : incident.rows) one["rows"].push_back(detection.numbers.of(row) + 1);
    document["incidents"].push_back(std::move(one));
  }
  add_quality(detection, document);
  return document.dump(2) + "\n";
}

}  // namespace pidforest::cli
