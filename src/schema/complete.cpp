// SPDX-License-Identifier: Apache-2.0
// Declared in schema/encode.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "pidforest/error.h"
#include "schema/codec.h"
#include "schema/encode.h"
#include "schema/hierarchy.h"
#include "schema/levels.h"
#include "schema/match.h"
#include "schema/time_column.h"
#include "table/value.h"
#include "values/excerpt.h"
#include "values/number_text.h"
#include "values/read_text.h"

namespace pidforest::schema {

namespace {

/// True if the text has the form in which a schema writes a number.
bool is_numeric_level(const std::string& level) {
  const values::NumberReading reading = values::read_number(level);
  return reading.form == values::NumberReading::Form::number && values::shortest_text(reading.value) == level;
}

bool are_numbers(const table::ColumnParts& parts) {
  using Form = values::NumberReading::Form;
  if (parts.type() != ColumnType::text) return true;
  bool are_all = true;
  parts.for_each([&](const Column& column, std::size_t n_rows) {
    for (std::size_t row = 0; are_all && row < n_rows; ++row) {
      const Form form = values::read_number(column.text(row), column.decimal).form;
      are_all = form == Form::number || form == Form::missing;
    }
  });
  return are_all;
}

void set_levels(ColumnSchema& schema, const std::vector<double>& numbers) {
  for (const double number : numbers) schema.levels.push_back(values::shortest_text(number));
  if (!numbers.empty()) schema.numeric_levels = true;
}

void find_levels(ColumnSchema& schema, const table::ColumnParts& parts) {
  if (parts.type() == ColumnType::text) {
    schema.levels = distinct_texts(parts);
    return;
  }
  const std::vector<double> numbers = distinct_numbers(parts);
  if (parts.type() == ColumnType::boolean)
    for (const double number : numbers) schema.levels.emplace_back(number == 0 ? "false" : "true");
  else
    set_levels(schema, numbers);
}

/// Sorts the levels by code, so that level i has code i.
void sort_by_code(ColumnSchema& schema) {
  const std::vector<std::uint32_t> codes = make_hierarchy(schema).codes;
  std::vector<std::string> sorted(schema.levels.size());
  for (std::size_t i = 0; i < codes.size(); ++i) sorted[codes[i]] = std::move(schema.levels[i]);
  schema.levels = std::move(sorted);
}

void complete_hierarchy(ColumnSchema& schema, ColumnType type) {
  if (schema.levels.empty()) {
    schema.levels = leaves_of(schema);
    if (type == ColumnType::number) schema.numeric_levels = std::ranges::all_of(schema.levels, is_numeric_level);
  }
  sort_by_code(schema);
}

bool are_few_whole_numbers(const std::vector<double>& sorted) {
  constexpr double widest = 1e6;
  return sorted.back() - sorted.front() < widest &&
         std::ranges::all_of(sorted, [](double number) { return std::floor(number) == number; });
}

void complete_ordinal(ColumnSchema& schema, const table::ColumnParts& parts) {
  if (!are_numbers(parts))
    throw InvalidInput(
        fmt::format("column '{}': the levels of an ordinal text column must be declared in order; "
                    "got none. Write \"levels\": [lowest, ..., highest] in the schema.",
                    values::excerpt(schema.name)));
  const std::vector<double> numbers = distinct_numbers(parts);
  if (numbers.size() > 1 && are_few_whole_numbers(numbers))
    schema.range = {numbers.front() + 0.0, numbers.back() + 0.0};
  else
    set_levels(schema, numbers);
}

/// Encodes every row to trigger the errors of encoding; an unseen level is an error here too.
void check_values(const ColumnSchema& schema, const table::ColumnParts& parts) {
  constexpr std::size_t block = 4096;
  const Codec codec = make_codec(schema);
  const auto unheard = static_cast<double>(schema.levels.size());
  std::array<double, block> values;
  parts.for_each([&](const Column& column, std::size_t n_rows) {
    for (std::size_t begin = 0; begin < n_rows; begin += block) {
      const std::span<double> out(values.data(), std::min(block, n_rows - begin));
      codec.encode(0, column, begin, out);
      if (schema.kind != Kind::category) continue;
      const auto found = std::ranges::find(out, unheard);
      if (found != out.end()) refuse_level(schema, column, begin + static_cast<std::size_t>(found - out.begin()));
    }
  });
}

void complete_column(ColumnSchema& schema, const Column& column, const table::ColumnParts& parts) {
  if (schema.kind == Kind::time) return complete_time(schema, parts);
  const bool has_levels = !schema.levels.empty() || schema.range;
  if (schema.kind == Kind::category && !schema.parents.empty())
    complete_hierarchy(schema, column.type);
  else if (schema.kind == Kind::category && !has_levels)
    return find_levels(schema, parts);
  else if (schema.kind == Kind::ordinal && !has_levels)
    return complete_ordinal(schema, parts);
  check_type(schema, column, "");
  const bool takes_any = schema.kind == Kind::continuous && column.type != ColumnType::text;
  if (!takes_any) check_values(schema, parts);
}

}  // namespace

Schema complete_schema(const Schema& schema, const Batches& batches) {
  validate(schema);
  const Table head = batches.header();
  const std::vector<const Column*> columns = columns_of(schema, head, "the schema names");
  Schema complete = schema;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (columns[j] == nullptr) continue;
    const bool levels_come_later = !schema.columns[j].parents.empty() && schema.columns[j].levels.empty();
    if (!levels_come_later) check_type(schema.columns[j], *columns[j], "");
    const auto place = static_cast<std::size_t>(columns[j] - head.columns().data());
    complete_column(complete.columns[j], *columns[j], table::ColumnParts(batches, place));
  }
  return complete;
}

}  // namespace pidforest::schema
