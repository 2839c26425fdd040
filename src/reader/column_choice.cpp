// SPDX-License-Identifier: Apache-2.0
#include "reader/column_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "pidforest/error.h"
#include "values/excerpt.h"

namespace pidforest::reader {

namespace {

FieldType reading_of(const ColumnSchema& schema) {
  switch (schema.kind) {
    case Kind::continuous:
      return schema.written.empty() ? FieldType::numbers : FieldType::texts;
    case Kind::ordinal:
      if (schema.levels.empty()) return schema.range ? FieldType::numbers : FieldType::undecided;
      [[fallthrough]];
    case Kind::category:
      return schema.numeric_levels ? FieldType::numbers : FieldType::texts;
    case Kind::cyclic:
      return schema.levels.empty() || schema.numeric_levels ? FieldType::numbers : FieldType::texts;
    case Kind::boolean:
      return FieldType::texts;
    case Kind::time:
      return schema.epoch_unit != EpochUnit::none ? FieldType::numbers : FieldType::texts;
    default:
      return FieldType::skipped;
  }
}

}  // namespace

ColumnChoice::ColumnChoice(const ColumnSelection& selection)
    : has_schema_(selection.schema != nullptr), all_as_text_(selection.all_as_text), ignored_(selection.ignore) {
  if (selection.schema != nullptr)
    for (const ColumnSchema& column : selection.schema->columns) {
      by_name_[column.name] = reading_of(column);
      if (column.kind != Kind::ignored) wanted_.push_back(column.name);
    }
  besides_ = selection.besides_schema;
  besides_.insert(besides_.end(), selection.as_text.begin(), selection.as_text.end());
  for (const std::string& name : selection.besides_schema) by_name_[name] = FieldType::undecided;
  for (const std::string& name : selection.as_text) by_name_[name] = FieldType::texts;
  if (all_as_text_)
    for (auto& [name, reading] : by_name_) reading = FieldType::texts;
  for (const std::string& name : selection.ignore) by_name_[name] = FieldType::skipped;
}

TextColumn ColumnChoice::column(const std::string& name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end())
    return {.name = name, .reading = found->second, .is_by_schema = found->second == FieldType::numbers};
  if (all_as_text_) return {.name = name, .reading = FieldType::texts};
  return {.name = name, .reading = has_schema_ ? FieldType::skipped : FieldType::undecided};
}

void ColumnChoice::check_header(const std::vector<std::string>& names) const {
  const std::unordered_set<std::string_view> header(names.begin(), names.end());
  const auto check = [&](const std::vector<std::string>& asked_for, std::string_view why) {
    for (const std::string& name : asked_for)
      if (!header.contains(name))
        throw InvalidInput(fmt::format("the file has no column '{}', which {}; its columns are {}.",
                                       values::excerpt(name), why,
                                       values::excerpt(fmt::format("{}", fmt::join(names, ", ")), 200)));
  };
  check(ignored_, "is to be ignored");
  check(wanted_, "the model or the schema requires");
}

std::vector<std::string> ColumnChoice::asked_for() const {
  std::vector<std::string> names = wanted_;
  names.insert(names.end(), besides_.begin(), besides_.end());
  std::erase_if(names, [&](const std::string& name) { return column(name).reading == FieldType::skipped; });
  return names;
}

void ColumnChoice::check_keys(const std::vector<std::string>& names) const {
  const auto is_key = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  if (wanted_.empty() || names.empty() || std::ranges::any_of(wanted_, is_key)) return;
  throw InvalidInput(fmt::format("at least one column of the schema must be among the keys; got none. The keys are {}.",
                                 values::excerpt(fmt::format("{}", fmt::join(names, ", ")), 200)));
}

}  // namespace pidforest::reader
