// SPDX-License-Identifier: Apache-2.0
#include "reader/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "values/excerpt.h"

namespace pidforest::reader {

FieldReader::FieldReader(char decimal, std::vector<std::string> missing)
    : decimal_(decimal), missing_(std::move(missing)) {
  has_missing_numbers_ = std::ranges::any_of(
      missing_, [&](const std::string& word) { return !std::isnan(FieldReader(decimal_, {}).number(word).value); });
}

bool FieldReader::is_missing(std::string_view text) const {
  return text.empty() || std::ranges::find(missing_, text) != missing_.end();
}

values::NumberReading FieldReader::number(std::string_view text) const {
  text = values::trimmed(text);
  if (is_missing(text)) return {};
  if (decimal_ == '.') return values::read_number(text);
  if (text.find('.') != std::string_view::npos) return {.form = values::NumberReading::Form::no_number};
  std::string with_point(text);
  std::ranges::replace(with_point, decimal_, '.');
  return values::read_number(with_point);
}

bool has_decimal_comma(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos || text.find('.') != std::string_view::npos) return false;
  std::string with_point(text);
  with_point[comma] = '.';
  return values::read_number(with_point).form == values::NumberReading::Form::number;
}

std::string complaint_of_number(const TextColumn& column, std::string_view text, const values::NumberReading& reading) {
  const std::string got = values::excerpt(text);
  if (has_decimal_comma(text))
    return fmt::format("must be a number; got '{}'. Use --decimal , if the comma is the decimal point.", got);
  if (column.is_by_schema)
    return fmt::format(
        "{}, as the schema says; got '{}'. Leave the field empty if it is missing, or declare the column a category in "
        "the schema.",
        reading.demand(), got);
  if (reading.is_beyond_double())
    return fmt::format("{}; got '{}'. Exclude the column with --ignore {}, or declare it a category in a schema.",
                       reading.demand(), got, values::excerpt(column.name));
  return fmt::format(
      "must be a number, like all values before it; got '{}'. Leave the field empty if it is missing, or declare the "
      "column a category in a schema.",
      got);
}

std::string complaint_of_utf8(const TextColumn& column, std::string_view text) {
  return fmt::format("must be UTF-8; got '{}'. Save the file as UTF-8, or exclude the column with --ignore {}.",
                     values::excerpt(text), values::excerpt(column.name));
}

}  // namespace pidforest::reader
