// SPDX-License-Identifier: Apache-2.0
#include "schema/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/nearest_word.h"

namespace pidforest::schema {

std::vector<const Column*> columns_of(const Schema& schema, const Table& table, std::string_view why) {
  const std::vector<Column>& given = table.columns();
  std::unordered_map<std::string_view, const Column*> by_name;  // filled if any column is not where the schema has it
  const auto find = [&](std::size_t place, std::string_view name) -> const Column* {
    if (place < given.size() && given[place].name == name) return &given[place];
    if (by_name.empty())
      for (const Column& column : given) by_name.emplace(column.name, &column);
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : found->second;
  };
  std::vector<const Column*> columns;
  columns.reserve(schema.columns.size());
  for (std::size_t i = 0; i < schema.columns.size(); ++i) {
    const ColumnSchema& wanted = schema.columns[i];
    columns.push_back(wanted.kind == Kind::ignored ? nullptr : find(i, wanted.name));
    if (columns.back() == nullptr && wanted.kind != Kind::ignored)
      throw InvalidInput(fmt::format("the table has no column '{}', which {}.", values::excerpt(wanted.name), why));
  }
  return columns;
}

std::size_t place_of(const Table& columns, std::string_view name, std::string_view role) {
  const auto found = std::ranges::find(columns.columns(), name, &Column::name);
  if (found == columns.columns().end()) {
    std::vector<std::string> names;
    for (const Column& column : columns.columns()) names.push_back(column.name);
    throw InvalidInput(fmt::format("{} must be in the table; there is no column '{}'.{}", role, values::excerpt(name),
                                   values::did_you_mean(name, names)));
  }
  return static_cast<std::size_t>(found - columns.columns().begin());
}

}  // namespace pidforest::schema
