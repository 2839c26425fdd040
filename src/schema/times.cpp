// SPDX-License-Identifier: Apache-2.0
#include "schema/times.h"

#include <fmt/format.h>

#include "pidforest/error.h"
#include "schema/match.h"
#include "schema/text_facts.h"
#include "table/column_parts.h"
#include "table/value.h"
#include "values/excerpt.h"

namespace pidforest::schema {

ColumnSchema infer_times(const Batches& table, const std::string& column) {
  const table::ColumnParts parts(table, place_of(table.header(), column, "the time column"));
  ColumnSchema schema{.name = column, .kind = Kind::time};
  if (parts.type() == ColumnType::time) return schema;
  if (parts.type() != ColumnType::text)
    throw InvalidInput(fmt::format(
        R"(column '{}' must contain dates and times; got {}. Declare it in a schema with "kind": "time" and its "unit".)",
        values::excerpt(column), name_of(parts.type())));
  TextFacts facts;
  parts.for_each([&](const Column& part, std::size_t n_rows) { facts.add(part, n_rows); });
  const bool day_first = facts.are_times(DateOrder::day_first);
  const bool month_first = facts.are_times(DateOrder::month_first);
  if (!facts.are_times(DateOrder::year_first) && day_first != month_first)
    schema.date_order = day_first ? DateOrder::day_first : DateOrder::month_first;
  schema.zone = written_zone(parts, schema.date_order).zone;
  return schema;
}

TimeParser::TimeParser(const ColumnSchema& schema) : reader_(schema) {}

std::int64_t TimeParser::utc(const Column& column, std::size_t row) const {
  if (table::is_missing(column, row))
    table::refuse(column, row, {.demand = "must be a date or time", .remedy = "Remove samples without a time."});
  return reader_.utc(column, row);
}

}  // namespace pidforest::schema
