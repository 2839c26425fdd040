// SPDX-License-Identifier: Apache-2.0
#include "detect_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "printable.h"
#include "text_width.h"

namespace pidforest::cli {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

std::string value_at(const Column& column, std::size_t row) {
  constexpr std::size_t longest_text = 43;
  const bool is_text = column.type == ColumnType::text;
  const bool is_missing = is_text ? column.text(row).empty() : std::isnan(column.number(row));
  if (is_missing) return "missing";
  return is_text ? fitted(printable(column.text(row)), longest_text) : fmt::format("{}", column.number(row));
}

/// As many of the row's first values as fit into `room` characters, and dots for the others.
std::string values_of(const Table& table, std::size_t row, std::size_t room) {
  constexpr std::string_view others = " ...";
  std::string shown;
  for (const Column& column : table.columns()) {
    const std::string next =
        fmt::format("{}{}={}", shown.empty() ? "" : " ", printable(column.name), value_at(column, row));
    const bool is_last = &column == &table.columns().back();
    if (text_width(shown) + text_width(next) + (is_last ? 0 : others.size()) > room) return shown.append(others);
    shown += next;
  }
  return shown;
}

Cells headings(const Detection& found) {
  Cells cells{"rank", "row", "bits"};
  if (found.threshold) cells.emplace_back("anomaly");
  if (found.labels) cells.emplace_back("label");
  return cells;
}

Cells cells_of(const Detection& found, std::size_t rank) {
  const std::size_t row = found.top[rank];
  Cells cells{fmt::format("{}", rank + 1), fmt::format("{}", row + 1), fmt::format("{:.2f}", found.bits[row])};
  if (found.threshold) cells.emplace_back(found.is_anomaly(row) ? "*" : "");
  if (found.labels) cells.emplace_back((*found.labels)[row] ? "1" : "0");
  return cells;
}

std::vector<std::size_t> widths_of(const std::vector<Cells>& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const Cells& cells : lines)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], text_width(cells[i]));
  return widths;
}

std::string aligned(const Cells& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += fmt::format("{:>{}}  ", cells[i], widths[i]);
  return line;
}

Json value_of(const OptionSpec& spec, const Options& options) {
  const double value = spec.get(options);
  const bool is_word =
      std::any_of(spec.words.begin(), spec.words.end(), [&](const Word& w) { return w.value == value; });
  if (is_word) return spec.text(options);
  return spec.type == OptionSpec::Type::integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json row_as_json(const Detection& found, std::size_t row) {
  Json line{{"row", row + 1}, {"score", found.bits[row]}};
  line["is_anomaly"] = found.threshold ? Json(found.is_anomaly(row)) : Json(nullptr);
  if (found.labels) line["label"] = (*found.labels)[row] ? 1 : 0;
  return line;
}

}  // namespace

std::string as_table(const Detection& found, std::size_t width) {
  std::vector<Cells> lines{headings(found)};
  for (std::size_t rank = 0; rank < found.top.size(); ++rank) lines.push_back(cells_of(found, rank));
  const auto widths = widths_of(lines);
  std::string text;
  for (std::size_t i = 0; i < lines.size() && lines.size() > 1; ++i) {
    text += aligned(lines[i], widths);
    const std::size_t used = text_width(aligned(lines[i], widths));
    text += i == 0 ? "values" : values_of(found.table, found.top[i - 1], width - std::min(width, used));
    text += '\n';
  }
  if (found.quality)
    text += fmt::format("AUC {:.3f}  average precision {:.3f}\n", found.quality->auc, found.quality->average_precision);
  return text;
}

std::string as_json(const Detection& found) {
  Json document;
  for (const OptionSpec& spec : option_specs())
    document["options"][std::string(spec.name)] = value_of(spec, found.options);
  document["preset"] = found.preset;
  document["n"] = found.table.n_rows();
  document["d"] = found.n_features;
  document["seed"] = found.options.seed;
  document["threshold"] = value_or_null(found.threshold);
  document["top"] = Json::array();
  for (const std::size_t row : found.top) document["top"].push_back(row_as_json(found, row));
  if (found.labels) {
    document["auc"] = found.quality ? Json(found.quality->auc) : Json(nullptr);
    document["average_precision"] = found.quality ? Json(found.quality->average_precision) : Json(nullptr);
  }
  return document.dump(2) + "\n";
}

}  // namespace pidforest::cli
