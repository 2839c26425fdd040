// SPDX-License-Identifier: Apache-2.0
#include "schema/times.h"

#include <fmt/format.h>

#include "pidforest/error.h"
#include "schema/match.h"
#include "schema/text_facts.h"
#include "table/column_parts.h"
#include "values/excerpt.h"

namespace pidforest::schema {

ColumnSchema infer_times(const Batches& table, const std::string& column) {
  const table::ColumnParts parts(table, place_of(table.header(), column, "the time column"));
  ColumnSchema schema{.name = column, .kind = Kind::time};
  if (parts.type() == ColumnType::time) {
    schema.zone = "UTC";  // as of texts without an offset
    return schema;
  }
  if (parts.type() != ColumnType::text)
    throw InvalidInput(fmt::format(
        R"(column '{}' must contain dates and times; got {}. Declare it in a schema with "kind": "time" and its "unit".)",
        values::excerpt(column), name_of(parts.type())));
  TextFacts facts;
  parts.for_each([&](const Column& part, std::size_t n_rows) { facts.add(part, n_rows); });
  schema.date_order = facts.date_order().value_or(DateOrder::year_first);
  const bool has_no_order = schema.date_order == DateOrder::no_date || schema.date_order == DateOrder::no_year;
  if (has_no_order)
    throw InvalidInput(
        fmt::format("column '{}' must contain dates and times in their order; got times without a {}, such as '{}'.",
                    values::excerpt(column), schema.date_order == DateOrder::no_date ? "date" : "year",
                    values::excerpt(facts.least_text())));
  schema.zone = written_zone(parts, schema.date_order).zone;  // refuses texts that are not times
  return schema;
}

}  // namespace pidforest::schema
