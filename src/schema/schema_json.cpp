// SPDX-License-Identifier: Apache-2.0
// Declared in pidforest/schema.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "pidforest/error.h"
#include "pidforest/schema.h"
#include "schema/column_json.h"
#include "schema/format_json.h"
#include "schema/windows_json.h"
#include "values/excerpt.h"
#include "values/json.h"

namespace pidforest {

namespace {

using values::excerpt;
using values::Json;
using values::JsonChild;
using values::JsonChildren;
using values::JsonKind;

[[noreturn]] void refuse_document(std::string_view complaint) {
  throw InvalidInput(fmt::format("schema: {}.", complaint));
}

JsonChildren columns_of(const Json& document) {
  if (document.kind() != JsonKind::object)
    refuse_document(fmt::format("must be an object with the key 'columns'; got {}", describe(document)));
  for (const JsonChild& member : document.children())
    if (member.key != "columns" && member.key != "format" && member.key != "windows")
      refuse_document(
          fmt::format("its keys must be 'columns' and possibly 'format' and 'windows'; got '{}'", excerpt(member.key)));
  const std::optional<Json> columns = document.children().find("columns");
  if (!columns) refuse_document("must have the key 'columns'; got none");
  if (columns->kind() != JsonKind::array)
    refuse_document(fmt::format("columns: must be an array of objects; got {}", describe(*columns)));
  return columns->children();
}

/// Counts the columns before the first one that lacks a required key. Memory is reserved for these only, because a
/// column takes many times the memory of its description.
std::size_t n_described(const JsonChildren& columns) {
  std::size_t n = 0;
  for (const JsonChild& column : columns) {
    if (!schema::describes_column(column.value)) return n;
    ++n;
  }
  return n;
}

/// The document is freed before the schema is validated.
Schema read_schema(std::string_view json) {
  constexpr std::size_t document_windows_metrics_column_levels = 5;
  const values::JsonDocument document = values::parse_json({"schema", json, document_windows_metrics_column_levels});
  const JsonChildren columns = columns_of(Json(document));
  Schema schema;
  schema.columns.reserve(n_described(columns));
  for (const JsonChild& column : columns)
    schema.columns.push_back(schema::read_column(column.value, {schema.columns.size(), {}}));
  if (const auto format = Json(document).children().find("format")) schema.format = schema::read_format(*format);
  if (const auto windows = Json(document).children().find("windows")) schema.windows = schema::read_windows(*windows);
  return schema;
}

}  // namespace

Schema parse_schema(std::string_view json) {
  Schema schema = read_schema(json);
  validate(schema);
  return schema;
}

std::string to_json(const Schema& schema) {
  validate(schema);
  std::vector<std::string> columns;
  std::ranges::transform(schema.columns, std::back_inserter(columns), schema::print_column);
  const std::string format =
      schema.format == WrittenFormat{} ? "" : fmt::format(",\n  \"format\": {}", schema::print_format(schema.format));
  const std::string windows =
      schema.windows ? fmt::format(",\n  \"windows\": {}", schema::print_windows(*schema.windows)) : "";
  return fmt::format("{{\n  \"columns\": [\n{}\n  ]{}{}\n}}\n", fmt::join(columns, ",\n"), format, windows);
}

}  // namespace pidforest
