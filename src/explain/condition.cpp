// SPDX-License-Identifier: Apache-2.0
#include "explain/condition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pidforest/error.h"
#include "schema/levels.h"
#include "schema/native_scale.h"
#include "schema/schema_words.h"
#include "values/excerpt.h"
#include "values/number_text.h"

namespace pidforest::explain {

namespace {

using Shape = Condition::Shape;

std::vector<std::string> names_of_used(const Schema& schema) {
  std::vector<std::string> names;
  for (const ColumnSchema& column : schema.columns)
    if (column.kind != Kind::ignored) names.push_back(column.name);
  return names;
}

const ColumnSchema& column_of(const Condition& condition, const Schema& schema, std::size_t index) {
  const auto column = std::ranges::find(schema.columns, condition.column, &ColumnSchema::name);
  if (column == schema.columns.end() || column->kind == Kind::ignored)
    ConditionPlace{index}.refuse("column",
                                 fmt::format("must be one of {}; got '{}'", schema::list_of(names_of_used(schema)),
                                             values::excerpt(condition.column)));
  return *column;
}

void check_derivation(const Condition& condition, const ColumnSchema& column, const ConditionPlace& place) {
  const bool is_value = condition.shape != Shape::missing && condition.shape != Shape::present;
  const bool is_derived = column.kind == Kind::time && is_value;
  if (is_derived && !condition.derivation)
    place.refuse("derivation", fmt::format("must be one of {}; got none", fmt::join(schema::derivation_names, ", ")));
  if (!is_derived && condition.derivation)
    place.refuse("derivation", fmt::format("must come with a value of a time column; got '{}'",
                                           schema::derivation_names[static_cast<std::size_t>(*condition.derivation)]));
}

/// The name of a shape in a JSON document.
std::string_view key_of(Shape shape) {
  switch (shape) {
    case Shape::range:
      return "at_least or below";
    case Shape::arc:
      return "from and before";
    case Shape::levels:
      return "in";
    case Shape::other_levels:
      return "not_in";
    default:
      return "missing";
  }
}

/// `shape` is the required shape of a condition that is not about missing values.
void check_shape(const Condition& condition, Shape shape, const ConditionPlace& place) {
  const bool may_be_other = shape == Shape::levels && condition.shape == Shape::other_levels;
  if (condition.shape == shape || may_be_other) return;
  place.refuse("", fmt::format("must have {}, or missing; got {}",
                               shape == Shape::levels ? "in or not_in" : key_of(shape), key_of(condition.shape)));
}

void check_levels(const Condition& condition, const schema::LevelNames& names, const ConditionPlace& place) {
  schema::LevelSet levels(names.size());
  const std::string_view key = key_of(condition.shape);
  if (condition.levels.empty()) place.refuse(key, "must contain at least one level; got none");
  for (std::size_t i = 0; i < condition.levels.size(); ++i)
    if (!names.add(condition.levels[i], levels))
      place.refuse(fmt::format("{}[{}]", key, i),
                   fmt::format("must be one of {}; got '{}'", schema::list_of(names.names()),
                               values::excerpt(condition.levels[i])));
}

void check_range(const Condition& condition, const ConditionPlace& place) {
  const bool has_end = std::isfinite(condition.low) || std::isfinite(condition.high);
  if (!has_end || !(condition.low < condition.high))
    place.refuse("", fmt::format("at_least must be less than below, and one of them finite; got {} and {}",
                                 values::shortest_text(condition.low), values::shortest_text(condition.high)));
}

void check_end_of_arc(double end, std::string_view key, const schema::NativeScale& scale, const ConditionPlace& place) {
  constexpr double rounding = 1e-9;
  if (!(end >= 0 && end <= scale.period()))
    place.refuse(key, fmt::format("must be between 0 and {}; got {}", values::shortest_text(scale.period()),
                                  values::shortest_text(end)));
  if (scale.step() == 0) return;
  const double n_steps = end / scale.step();
  if (std::abs(n_steps - std::round(n_steps)) > rounding * std::max(n_steps, 1.0))
    place.refuse(key, fmt::format("must be a multiple of the step, {}; got {}", values::shortest_text(scale.step()),
                                  values::shortest_text(end)));
}

void check_arc(const Condition& condition, const schema::NativeScale& scale, const ConditionPlace& place) {
  check_end_of_arc(condition.low, "from", scale, place);
  check_end_of_arc(condition.high, "before", scale, place);
  if (scale.to_encoded(condition.low) == scale.to_encoded(condition.high) ||
      std::abs(condition.low - condition.high) == scale.period())
    place.refuse(
        "", fmt::format("from and before must differ; got {} and {}. Write \"missing\": false for the whole circle",
                        values::shortest_text(condition.low), values::shortest_text(condition.high)));
}

double before(double number) { return std::nextafter(number, -std::numeric_limits<double>::infinity()); }

bool is_shorter_before(double number) {
  return std::isfinite(number) && values::shortest_text(before(number)).size() < values::shortest_text(number).size();
}

}  // namespace

void ConditionPlace::refuse(std::string_view key, std::string_view complaint) const {
  const std::string shown_name = column.empty() ? "" : fmt::format(" ('{}')", values::excerpt(column));
  throw InvalidInput(
      fmt::format("conditions[{}]{}{}{}: {}.", index, shown_name, key.empty() ? "" : ".", key, complaint));
}

const ColumnSchema& check_condition(const Condition& condition, const Schema& schema, std::size_t index) {
  const ColumnSchema& column = column_of(condition, schema, index);
  const ConditionPlace place{index, condition.column};
  check_derivation(condition, column, place);
  if (condition.shape == Shape::missing || condition.shape == Shape::present) return column;
  if (schema::LevelNames::apply_to(column, condition.derivation)) {
    check_shape(condition, Shape::levels, place);
    check_levels(condition, schema::LevelNames(column, condition.derivation), place);
    return column;
  }
  const schema::NativeScale scale(column, condition.derivation);
  check_shape(condition, scale.period() > 0 ? Shape::arc : Shape::range, place);
  if (condition.shape == Shape::arc)
    check_arc(condition, scale, place);
  else
    check_range(condition, place);
  return column;
}

schema::LevelSet levels_of(const Condition& condition, const schema::LevelNames& names) {
  schema::LevelSet levels(names.size());
  for (const std::string& level : condition.levels) names.add(level, levels);
  if (condition.shape == Shape::other_levels) levels.flip();
  return levels;
}

Bound lower_bound(double low) { return is_shorter_before(low) ? Bound{before(low), false} : Bound{low, true}; }

Bound upper_bound(double high) { return is_shorter_before(high) ? Bound{before(high), true} : Bound{high, false}; }

}  // namespace pidforest::explain
