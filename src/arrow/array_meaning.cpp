// SPDX-License-Identifier: Apache-2.0
#include "arrow/array_meaning.h"

#include <fmt/format.h>

#include <utility>

#include "table/value.h"
#include "values/number_text.h"

namespace pidforest::arrow {

namespace {

ColumnSchema of_kind(Kind kind, std::string name, std::string note, std::string unit = "") {
  ColumnSchema schema;
  schema.name = std::move(name);
  schema.kind = kind;
  schema.note = std::move(note);
  schema.unit = std::move(unit);
  return schema;
}

/// An empty text is a level here, because it was listed as one.
bool is_level(const Column& levels, std::size_t i) {
  return levels.type == ColumnType::text ? levels.text(i).data() != nullptr : !table::is_missing(levels, i);
}

std::string level_text(const Column& levels, std::size_t i) {
  if (levels.type == ColumnType::text) return std::string(levels.text(i));
  if (levels.type == ColumnType::boolean) return levels.number(i) == 0 ? "false" : "true";
  return values::shortest_text(levels.number(i));
}

}  // namespace

ColumnSchema meaning_of_clock(std::string name) {
  ColumnSchema schema = of_kind(Kind::cyclic, std::move(name), "times of day", "h");
  schema.period = 24;
  return schema;
}

ColumnSchema meaning_of_durations(std::string name) {
  return of_kind(Kind::continuous, std::move(name), "durations", "s");
}

std::optional<ColumnSchema> meaning_of_times(std::string name, std::string zone) {
  if (zone.empty()) return std::nullopt;
  ColumnSchema schema = of_kind(Kind::time, std::move(name), fmt::format("date and time; in {}", zone));
  schema.zone = std::move(zone);
  return schema;
}

std::optional<ColumnSchema> meaning_of_codes(std::string name, const CodedLevels& levels, bool are_ordered) {
  const ColumnType type = levels.values->type;
  if (type == ColumnType::time) return std::nullopt;
  if (!are_ordered) return of_kind(Kind::category, std::move(name), "codes of levels");
  ColumnSchema schema = of_kind(Kind::ordinal, std::move(name), "codes of ordered levels");
  Scratch scratch;
  Column shown{.name = schema.name};
  shown.type = type;
  levels.values->show(0, levels.n, scratch, shown);
  for (std::size_t i = 0; i < levels.n; ++i)
    if (is_level(shown, i)) schema.levels.push_back(level_text(shown, i));
  schema.numeric_levels = type == ColumnType::number && !schema.levels.empty();
  return schema;
}

}  // namespace pidforest::arrow
