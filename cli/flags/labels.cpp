// SPDX-License-Identifier: Apache-2.0
#include "flags/labels.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "pidforest/error.h"
#include "values/nearest_word.h"
#include "values/time_text.h"

namespace pidforest::cli {

namespace {

/// The words of normal rows and of anomalies.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> label_words{
    {{"0", "1"}, {"no", "yes"}, {"false", "true"}}};

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

const Column& column_of(const Table& table, const std::string& name, std::string_view flag) {
  std::vector<std::string> names;
  for (const Column& column : table.columns()) {
    if (column.name == name) return column;
    names.push_back(column.name);
  }
  throw InvalidInput(fmt::format("{} must name a column of the table; got '{}'. Available columns: {}.{}", flag, name,
                                 fmt::join(names, ", "), values::did_you_mean(name, names)));
}

namespace {

std::string time_text_of(const Column& column, std::size_t row) {
  const std::int64_t time = column.time(row);
  if (time == Column::missing_time) return "";
  return values::date_time_text(time, ' ', values::Fractions::exact) + (column.are_local ? "" : "Z");
}

}  // namespace

void LabelReader::append(const Column& column, std::size_t n_rows, std::vector<bool>& labels) {
  const bool is_text = column.type == ColumnType::text;
  Column numbers = column;  // A boolean is 0 or 1, too.
  if (column.type == ColumnType::boolean) numbers.type = ColumnType::number;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const std::string text = text_of(numbers, row);
    const std::optional<bool> label = label_of(text);
    if (!label)
      throw InvalidInput(fmt::format("row {}, column '{}': a label must be {}; got {}.", labels.size() + 1, column.name,
                                     allowed(), is_text || text.empty() ? "'" + text + "'" : text));
    labels.push_back(*label);
  }
}

std::optional<bool> LabelReader::label_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (anomaly_word_.empty()) {
    const std::string word = lower_case(text);
    for (const auto& [normal, anomaly] : label_words)
      if (word == normal || word == anomaly) return word == anomaly;
    return std::nullopt;
  }
  if (text == anomaly_word_) return true;
  if (!normal_word_) normal_word_ = text;
  return text == *normal_word_ ? std::optional(false) : std::nullopt;
}

std::string LabelReader::allowed() const {
  if (anomaly_word_.empty()) return "0 or 1, no or yes, or false or true; --anomaly-label names another word";
  return normal_word_ ? fmt::format("'{}' or '{}'", *normal_word_, anomaly_word_) : "a word";
}

std::string text_of(const Column& column, std::size_t row) {
  if (column.type == ColumnType::text) return std::string(column.text(row));
  if (column.type == ColumnType::time) return time_text_of(column, row);
  const double number = column.number(row);
  if (std::isnan(number)) return "";
  if (column.type == ColumnType::boolean) return number == 0 ? "false" : "true";
  return fmt::format("{}", number);
}

}  // namespace pidforest::cli
