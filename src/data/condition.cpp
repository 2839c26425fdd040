// SPDX-License-Identifier: Apache-2.0
#include "data/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/excerpt.h"
#include "data/levels.h"
#include "data/number_text.h"
#include "pidforest/error.h"

namespace pidforest::data {

namespace {

double before(double number) { return std::nextafter(number, -std::numeric_limits<double>::infinity()); }

bool is_shorter_before(double number) {
  return std::isfinite(number) && shortest_text(before(number)).size() < shortest_text(number).size();
}

}  // namespace

Bound lower_bound(double low) { return is_shorter_before(low) ? Bound{before(low), false} : Bound{low, true}; }

Bound upper_bound(double high) { return is_shorter_before(high) ? Bound{before(high), true} : Bound{high, false}; }

const ColumnSchema& column_of(const Condition& condition, const Schema& schema) {
  const auto column = std::ranges::find(schema.columns, condition.column, &ColumnSchema::name);
  if (column == schema.columns.end() || column->kind == Kind::ignored)
    throw InvalidInput(fmt::format("column: must be one that the schema uses; got '{}'.", excerpt(condition.column)));
  return *column;
}

LevelSet levels_of(const Condition& condition, const LevelNames& names) {
  LevelSet levels(names.size());
  for (const std::string& level : condition.levels)
    if (!names.add(level, levels))
      throw InvalidInput(fmt::format("column '{}': must be one of {}; got '{}'.", excerpt(condition.column),
                                     list_of(names.names()), excerpt(level)));
  if (condition.shape == Condition::Shape::other_levels) levels.flip();
  return levels;
}

}  // namespace pidforest::data
