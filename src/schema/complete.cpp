// SPDX-License-Identifier: Apache-2.0
// Declared in schema/column_facts.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "schema/column_facts.h"
#include "schema/hierarchy.h"
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

void set_levels(ColumnSchema& schema, const std::vector<double>& numbers) {
  for (const double number : numbers) schema.levels.push_back(values::shortest_text(number));
  if (!numbers.empty()) schema.numeric_levels = true;
}

template <class Values>
auto sorted(const Values& values) {
  std::vector<typename Values::key_type> in_order(values.begin(), values.end());
  std::ranges::sort(in_order);
  return in_order;
}

void set_found_levels(ColumnSchema& schema, ColumnType type, const ColumnFacts::Found& facts) {
  if (type == ColumnType::text)
    schema.levels = sorted(facts.levels);
  else if (type == ColumnType::boolean)
    for (const double number : sorted(facts.numbers)) schema.levels.emplace_back(number == 0 ? "false" : "true");
  else
    set_levels(schema, sorted(facts.numbers));
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

void complete_ordinal(ColumnSchema& schema, const ColumnFacts::Found& facts) {
  if (!facts.are_numbers)
    throw InvalidInput(
        fmt::format("column '{}': the levels of an ordinal text column must be declared in order; "
                    "got none. Write \"levels\": [lowest, ..., highest] in the schema.",
                    values::excerpt(schema.name)));
  const std::vector<double> numbers = sorted(facts.numbers);
  if (numbers.size() > 1 && are_few_whole_numbers(numbers))
    schema.range = {numbers.front(), numbers.back()};
  else
    set_levels(schema, numbers);
}

void complete_times(ColumnSchema& schema, ColumnType type, const ColumnFacts::Found& facts) {
  const bool are_written = type == ColumnType::text && schema.zone.empty();
  if (schema.zone.empty()) schema.zone = facts.written.zone().zone;
  complete_time(schema, are_written ? facts.written.facts() : facts.times);
}

}  // namespace

ColumnSchema complete_column(const ColumnSchema& declared, ColumnType type, const ColumnFacts::Found& facts) {
  ColumnSchema schema = declared;
  const bool has_levels = !schema.levels.empty() || schema.range;
  if (schema.kind == Kind::time)
    complete_times(schema, type, facts);
  else if (schema.kind == Kind::category && !schema.parents.empty())
    complete_hierarchy(schema, type);
  else if (schema.kind == Kind::category && !has_levels)
    set_found_levels(schema, type, facts);
  else if (schema.kind == Kind::ordinal && !has_levels)
    complete_ordinal(schema, facts);
  return schema;
}

}  // namespace pidforest::schema
