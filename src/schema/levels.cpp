// SPDX-License-Identifier: Apache-2.0
#include "schema/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pidforest/error.h"
#include "table/value.h"
#include "values/excerpt.h"
#include "values/read_text.h"

namespace pidforest::schema {

namespace {

double number_of_level(const ColumnSchema& schema, const std::string& level) {
  const values::NumberReading reading = values::read_number(level);
  if (reading.form != values::NumberReading::Form::number)
    throw InvalidInput(fmt::format("column '{}': its levels must be numbers; got '{}'.", values::excerpt(schema.name),
                                   values::excerpt(level)));
  return reading.value;
}

}  // namespace

Levels::Levels(const ColumnSchema& schema) : are_numbers_(schema.numeric_levels) {
  if (are_numbers_)
    numbers_.reserve(schema.levels.size());
  else
    texts_.reserve(schema.levels.size());
  std::uint32_t place = 0;
  for (const std::string& level : schema.levels) {
    if (are_numbers_)
      numbers_.emplace(number_of_level(schema, level), place);
    else
      texts_.emplace(level, place);
    ++place;
  }
}

std::uint32_t Levels::place_of_text(std::string_view text) const {
  if (text.data() == nullptr) return missing;
  const auto found = texts_.find(text);
  if (found != texts_.end()) return found->second;
  return text.empty() ? missing : none;
}

std::uint32_t Levels::place_of_number(double number) const {
  if (std::isnan(number)) return missing;
  const auto found = numbers_.find(number);
  return found == numbers_.end() ? none : found->second;
}

std::uint32_t Levels::place_of(const Column& column, std::size_t row) const {
  if (are_numbers_) return place_of_number(table::number_at(column, row));
  if (column.type == ColumnType::text) return place_of_text(column.text(row));
  if (table::is_missing(column, row)) return missing;
  return place_of_text(column.number(row) == 0 ? "false" : "true");
}

std::string list_of(const std::vector<std::string>& levels) {
  constexpr std::size_t n_shown = 8;
  std::string list;
  for (std::size_t i = 0; i < std::min(levels.size(), n_shown); ++i)
    list += fmt::format("{}'{}'", i == 0 ? "" : ", ", values::excerpt(levels[i], 20));
  if (levels.size() > n_shown) list += fmt::format(", ... ({} in all)", levels.size());
  return list;
}

}  // namespace pidforest::schema
