// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/schema.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/schema.h"
#include "schema/match.h"
#include "schema/text_facts.h"
#include "schema/time_column.h"
#include "table/column_parts.h"
#include "table/column_ranges.h"
#include "table/value.h"
#include "values/excerpt.h"

namespace pidforest {

namespace {

using schema::TextFacts;
using table::ColumnParts;

/// The end of a note: how many values are missing.
std::string missing_note(std::size_t n_missing, std::size_t n_rows) {
  return n_missing == 0 ? "" : fmt::format("; {} of {} values are missing", n_missing, n_rows);
}

ColumnSchema of_kind(Kind kind, const Column& column, std::string note = "") {
  ColumnSchema schema;
  schema.name = column.name;
  schema.kind = kind;
  schema.note = std::move(note);
  return schema;
}

ColumnSchema ignored(const Column& column, std::string note) { return of_kind(Kind::ignored, column, std::move(note)); }

ColumnSchema without_values(const Column& column, std::size_t n_rows) {
  return ignored(column, n_rows == 0 ? "no rows" : "every value is missing");
}

bool are_all_missing(const TextFacts& facts) { return facts.n_of(TextFacts::Form::missing) == facts.n_present(); }

bool are_all_numbers(const TextFacts& facts) {
  const std::size_t n_numbers = facts.n_of(TextFacts::Form::number);
  return n_numbers > 0 && n_numbers + facts.n_of(TextFacts::Form::missing) == facts.n_present();
}

/// True if most texts are numbers, but not all.
bool are_mostly_numbers(const TextFacts& facts) {
  const std::size_t n_numbers = facts.n_of(TextFacts::Form::number);
  const std::size_t n_missing = facts.n_of(TextFacts::Form::missing);
  return facts.n_of(TextFacts::Form::no_number) > 0 && n_numbers > facts.n_present() - n_missing - n_numbers;
}

[[noreturn]] void refuse_mixture(const Column& column, TextFacts& facts) {
  const std::string demand = fmt::format("must be a number, like {} of {} values", facts.n_of(TextFacts::Form::number),
                                         facts.n_present() - facts.n_of(TextFacts::Form::missing));
  constexpr std::string_view remedy =
      R"(Leave it empty if it is missing; otherwise declare the column with "kind": "category", or exclude the column.)";
  table::refuse(facts.first_no_number(column.name), 0, {.demand = demand, .remedy = remedy});
}

std::string_view note_of(Resolution resolution) {
  switch (resolution) {
    case Resolution::hour:
      return "every value is a whole hour";
    case Resolution::minute:
      return "every value is a whole minute";
    case Resolution::second:
      return "every value is a whole second";
    default:
      return "with fractions of seconds";
  }
}

ColumnSchema infer_time(const Column& column, const ColumnParts& parts, DateOrder order) {
  ColumnSchema schema = of_kind(Kind::time, column);
  schema.date_order = order;
  const schema::WrittenZone zone = schema::written_zone(parts, order);
  schema.zone = zone.zone;
  schema::complete_time(schema, parts);
  if (schema.derive.empty())
    return ignored(column, "dates and times of the same hour and weekday; declare kind time and derive to use them");
  schema.note =
      fmt::format("date and time; {}; {}", note_of(schema.resolution.value_or(Resolution::hour)), zone.reason);
  return schema;
}

std::optional<ColumnSchema> infer_dates(const Column& column, const ColumnParts& parts, const TextFacts& facts) {
  if (const auto order = facts.date_order()) return infer_time(column, parts, *order);
  if (facts.are_times(DateOrder::day_first))
    return ignored(column, fmt::format("dates such as {} may begin with the day or the month; declare kind time and "
                                       "date_order, day_first or month_first",
                                       values::excerpt(facts.least_text())));
  return std::nullopt;
}

ColumnSchema infer_category(const Column& column, const TextFacts& facts) {
  constexpr std::size_t fewest_identifiers = 20;
  const std::optional<std::size_t> n_levels = facts.n_levels();
  if (!n_levels)
    return ignored(column, fmt::format("more than {} different texts: taken for an identifier; declare it a category "
                                       "to use it",
                                       TextFacts::most_levels));
  if (*n_levels == facts.n_present() && facts.n_present() >= fewest_identifiers)
    return ignored(column, fmt::format("every one of {} values is different: an identifier; declare it a category to "
                                       "use it",
                                       facts.n_present()));
  ColumnSchema schema = of_kind(Kind::category, column);
  schema.levels = facts.levels();
  schema.note = n_levels == 1 ? "one text only, which says nothing yet" : fmt::format("{} different texts", *n_levels);
  return schema;
}

ColumnSchema infer_texts(const Column& column, const ColumnParts& parts, TextFacts& facts) {
  const std::size_t n_rows = facts.n_present() + facts.n_missing();
  if (are_all_missing(facts)) return without_values(column, n_rows);
  if (are_all_numbers(facts))
    return of_kind(Kind::continuous, column,
                   "numbers" + missing_note(facts.n_missing() + facts.n_of(TextFacts::Form::missing), n_rows));
  const std::string missing = missing_note(facts.n_missing(), n_rows);
  if (facts.are_booleans()) return of_kind(Kind::boolean, column, "true and false" + missing);
  std::optional<ColumnSchema> schema = infer_dates(column, parts, facts);
  if (!schema && are_mostly_numbers(facts)) refuse_mixture(column, facts);
  if (!schema) schema = infer_category(column, facts);
  schema->note += missing;
  return *std::move(schema);
}

ColumnSchema infer_others(const Column& column, const ColumnParts& parts, std::size_t n_missing, std::size_t n_rows) {
  if (n_missing == n_rows) return without_values(column, n_rows);
  ColumnSchema schema = column.type == ColumnType::time      ? infer_time(column, parts, DateOrder::year_first)
                        : column.type == ColumnType::boolean ? of_kind(Kind::boolean, column, "true and false")
                                                             : of_kind(Kind::continuous, column, "numbers");
  schema.note += missing_note(n_missing, n_rows);
  return schema;
}

/// The facts about a column that the first pass over its values collects.
struct ColumnFacts {
  bool is_wanted = true;
  TextFacts texts = {};
  /// For types other than text.
  std::size_t n_missing = 0;

  void add(const Column& column, std::size_t n_rows) {
    if (!is_wanted) return;
    if (column.type == ColumnType::text) return texts.add(column, n_rows);
    for (std::size_t row = 0; row < n_rows; ++row) n_missing += table::is_missing(column, row) ? 1 : 0;
  }
};

void add_batch(const Table& batch, std::vector<ColumnFacts>& facts) {
  const bool are_all_numbers = std::ranges::all_of(batch.columns(), [](const Column& c) { return c.first != nullptr; });
  if (!are_all_numbers) {
    for (std::size_t j = 0; j < facts.size(); ++j) facts[j].add(batch.columns()[j], batch.n_rows());
    return;
  }
  std::vector<std::size_t> n_missing(facts.size());
  table::add_missing(batch, 0, batch.n_rows(), n_missing);
  for (std::size_t j = 0; j < facts.size(); ++j) facts[j].n_missing += n_missing[j];
}

/// Returns the declared schema of each column of the table; nullptr for columns that `declared` does not name.
std::vector<const ColumnSchema*> given_columns(const Table& table, const Schema& declared) {
  if (declared.columns.empty()) return std::vector<const ColumnSchema*>(table.n_columns());
  validate(declared);
  schema::columns_of(declared, table, "the schema names");  // throws if the table has no such column
  std::unordered_map<std::string_view, const ColumnSchema*> by_name;
  for (const ColumnSchema& column : declared.columns) by_name.emplace(column.name, &column);
  std::vector<const ColumnSchema*> given;
  for (const Column& column : table.columns()) {
    const auto found = by_name.find(column.name);
    given.push_back(found == by_name.end() ? nullptr : found->second);
  }
  return given;
}

}  // namespace

Schema infer_schema(const Batches& batches, const Schema& declared) {
  const Table columns = batches.header();
  const std::vector<const ColumnSchema*> given = given_columns(columns, declared);
  std::vector<ColumnFacts> facts(columns.n_columns());
  for (std::size_t j = 0; j < facts.size(); ++j) facts[j].is_wanted = given[j] == nullptr;
  batches.for_each([&](const Table& batch) { add_batch(batch, facts); });
  Schema schema;
  for (std::size_t j = 0; j < facts.size(); ++j) {
    const Column& column = columns.columns()[j];
    if (given[j] != nullptr) {
      schema.columns.push_back(*given[j]);
      continue;
    }
    const ColumnParts parts(batches, j);
    schema.columns.push_back(column.type == ColumnType::text
                                 ? infer_texts(column, parts, facts[j].texts)
                                 : infer_others(column, parts, facts[j].n_missing, batches.n_rows()));
    facts[j] = {};
  }
  return schema;
}

}  // namespace pidforest
