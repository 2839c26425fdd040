// SPDX-License-Identifier: Apache-2.0
#include "explain/own_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "explain/condition_words.h"
#include "explain/rise_words.h"
#include "table/value.h"
#include "values/excerpt.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest {

namespace explain {

namespace {

/// A time of day to the minute, or to the second if the axis is finer than that.
std::string clock_words(std::int64_t since_midnight, const ColumnSchema& column) {
  const Resolution resolution = column.resolution.value_or(Resolution::hour);
  const bool has_seconds = resolution == Resolution::second || resolution == Resolution::microsecond;
  const std::int64_t seconds = has_seconds ? 0 : since_midnight % values::microseconds_per_minute;
  return values::clock_text(since_midnight - seconds, values::Fractions::none);
}

/// A local time, as far as a derivation of it goes: "03:41", "Sunday", "March", "29 February".
std::string time_words(std::int64_t local, Derivation derivation, const ColumnSchema& column) {
  const auto cell = [&] { return values::derived_cell(derivation, Resolution::microsecond, local); };
  switch (derivation) {
    case Derivation::hour_of_day:
      return clock_words(cell(), column);
    case Derivation::day_of_week:
      return std::string(values::weekday_names[static_cast<std::size_t>(cell())]);
    case Derivation::month:
      return std::string(values::month_names[static_cast<std::size_t>(cell())]);
    case Derivation::day_of_year:
      return values::day_words(static_cast<int>(cell()));
    default:
      return values::date_time_text(local, ' ', values::Fractions::none);
  }
}

}  // namespace

OwnWords::OwnWords(const Table& table, const Schema& schema) : schema_(schema), sources_(schema.columns.size()) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const auto column = std::ranges::find(table.columns(), schema.columns[i].name, &Column::name);
    if (column == table.columns().end()) continue;
    sources_[i].column = &*column;
    if (schema.columns[i].kind == Kind::time) sources_[i].times.emplace(schema.columns[i]);
  }
}

std::string OwnWords::of(const Condition& condition, std::size_t row) const {
  const auto found = std::ranges::find(schema_.columns, condition.column, &ColumnSchema::name);
  const Source& source = sources_[static_cast<std::size_t>(found - schema_.columns.begin())];
  if (source.column == nullptr || condition.shape == Condition::Shape::missing) return words_of(condition, *found);
  const std::string name = name_in_words(*found);
  if (source.times && condition.derivation) {
    const std::int64_t local = source.times->local(source.times->utc(*source.column, row));
    return fmt::format("{} {}", name, time_words(local, *condition.derivation, *found));
  }
  const std::string number = table::value_words(*source.column, row);
  if (const auto rise = own_rise(*found, number)) return *rise;
  const std::string value = fmt::format("{} = {}", name, number);
  if (found->unit.empty() || found->kind == Kind::time) return value;
  return fmt::format("{} {}", value, values::excerpt(found->unit));
}

std::vector<std::string> OwnWords::of(const Witness& witness, std::size_t row) const {
  std::vector<std::string> words;
  for (const Condition& condition : witness.conditions) words.push_back(of(condition, row));
  return words;
}

}  // namespace explain

std::vector<std::string> own_values(const Witness& witness, const Table& table, std::size_t row, const Schema& schema) {
  return explain::OwnWords(table, schema).of(witness, row);
}

}  // namespace pidforest
