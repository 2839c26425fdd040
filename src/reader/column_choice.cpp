// SPDX-License-Identifier: Apache-2.0
#include "reader/column_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/name_pattern.h"

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
    : has_schema_(selection.schema != nullptr),
      all_as_text_(selection.all_as_text),
      ignored_(selection.ignore),
      only_(selection.only) {
  if (selection.schema != nullptr)
    for (const ColumnSchema& column : selection.schema->columns) {
      by_name_[column.name] = values::matches_any(ignored_, column.name) ? FieldType::skipped : reading_of(column);
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
  const bool is_left_out = values::matches_any(ignored_, name) || (!only_.empty() && !values::matches_any(only_, name));
  if (is_left_out) return {.name = name, .reading = FieldType::skipped};
  if (all_as_text_) return {.name = name, .reading = FieldType::texts};
  return {.name = name, .reading = has_schema_ ? FieldType::skipped : FieldType::undecided};
}

void ColumnChoice::check_header(const std::vector<std::string>& names) const {
  values::check_names("the file", names, ignored_, "is to be ignored");
  values::check_names("the file", names, only_, "is to be read");
  values::check_names("the file", names, wanted_, "the model or the schema requires");
}

std::vector<std::string> ColumnChoice::asked_for() const {
  std::vector<std::string> names = wanted_;
  names.insert(names.end(), besides_.begin(), besides_.end());
  std::erase_if(names, [&](const std::string& name) { return column(name).reading == FieldType::skipped; });
  return names;
}

void ColumnChoice::check_keys(const std::vector<std::string>& names) const {
  std::vector<std::string> patterns;
  std::ranges::copy_if(ignored_, std::back_inserter(patterns),
                       [](const std::string& name) { return values::is_pattern(name); });
  values::check_names("the file", names, patterns, "is to be ignored");
  values::check_names("the file", names, only_, "is to be read");
  const auto is_key = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  if (wanted_.empty() || names.empty() || std::ranges::any_of(wanted_, is_key)) return;
  throw InvalidInput(fmt::format("at least one column of the schema must be among the keys; got none. The keys are {}.",
                                 values::excerpt(fmt::format("{}", fmt::join(names, ", ")), 200)));
}

}  // namespace pidforest::reader
