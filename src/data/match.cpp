// SPDX-License-Identifier: Apache-2.0
#include "data/match.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "data/excerpt.h"
#include "pidforest/error.h"

namespace pidforest::data {

std::vector<const Column*> columns_of(const Schema& schema, const Table& table, std::string_view why) {
  std::unordered_map<std::string_view, const Column*> by_name;
  for (const Column& column : table.columns()) by_name.emplace(column.name, &column);
  std::vector<const Column*> columns;
  columns.reserve(schema.columns.size());
  for (const ColumnSchema& wanted : schema.columns) {
    const auto found = by_name.find(wanted.name);
    if (found == by_name.end() && wanted.kind != Kind::ignored)
      throw InvalidInput(fmt::format("the table has no column '{}', which {}.", excerpt(wanted.name), why));
    columns.push_back(wanted.kind == Kind::ignored ? nullptr : found->second);
  }
  return columns;
}

}  // namespace pidforest::data
