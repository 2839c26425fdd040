// SPDX-License-Identifier: Apache-2.0
#include "reader/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "values/excerpt.h"
#include "values/number_form.h"

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
  return is_missing(text) ? values::NumberReading{} : values::read_number(text, decimal_);
}

bool FieldReader::has_other_decimal(std::string_view text) const {
  return values::read_number(values::trimmed(text), decimal_ == '.' ? ',' : '.').form ==
         values::NumberReading::Form::number;
}

bool FieldReader::may_have_thousands(std::string_view text) const {
  return values::has_thousands(text, decimal_ == '.' ? ',' : '.');
}

std::string FieldReader::complaint_of_decimals(const TextColumn& column) const {
  return fmt::format(
      "column '{}': numbers must have a decimal {}; its values have a {}. {}, remove it if it separates thousands, or "
      "declare the column a category in a schema.",
      values::excerpt(column.name), decimal_ == '.' ? "point" : "comma", decimal_ == '.' ? "comma" : "point",
      decimal_ == '.' ? "Use --decimal , if the comma is the decimal point" : "Omit --decimal , if the point is one");
}

std::string FieldReader::complaint_of_number(const TextColumn& column, std::string_view text,
                                             const values::NumberReading& reading) const {
  const std::string got = values::excerpt(text);
  if (has_other_decimal(text))
    return fmt::format("must be a number; got '{}'. {}.", got,
                       decimal_ == '.' ? "Use --decimal , if the comma is the decimal point"
                                       : "Omit --decimal , if the point is the decimal point");
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
