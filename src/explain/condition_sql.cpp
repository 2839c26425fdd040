// SPDX-License-Identifier: Apache-2.0
// Conditions as a WHERE clause: a database counts the same rows as the library.
// Declared in pidforest/explain.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "explain/condition.h"
#include "explain/sql_column.h"
#include "pidforest/explain.h"
#include "schema/level_names.h"
#include "schema/native_scale.h"
#include "values/time.h"

namespace pidforest {

namespace {

using explain::sql_number;
using explain::SqlColumn;
using schema::LevelNames;
using schema::LevelSet;
using schema::NativeScale;
using Shape = Condition::Shape;

std::string range_of_numbers(const Condition& condition, const SqlColumn& column) {
  const bool is_bounded = std::isfinite(condition.high);
  const std::string number = is_bounded ? column.bounded_number() : column.number();
  std::vector<std::string> ends;
  const explain::Bound low = explain::lower_bound(condition.low);
  const explain::Bound high = explain::upper_bound(condition.high);
  if (std::isfinite(low.number))
    ends.push_back(fmt::format("{} {} {}", number, low.is_inside ? ">=" : ">", sql_number(low.number)));
  if (is_bounded) ends.push_back(fmt::format("{} {} {}", number, high.is_inside ? "<=" : "<", sql_number(high.number)));
  return fmt::format("{}", fmt::join(ends, " AND "));
}

std::string range_of_times(const Condition& condition, const SqlColumn& column) {
  const std::string instant = column.instant();
  const auto literal = [&](double seconds) {
    return column.instant_literal(schema::first_microsecond(seconds, values::microseconds_per_second));
  };
  std::vector<std::string> ends;
  if (std::isfinite(condition.low)) ends.push_back(fmt::format("({}) >= {}", instant, literal(condition.low)));
  if (std::isfinite(condition.high)) ends.push_back(fmt::format("({}) < {}", instant, literal(condition.high)));
  return fmt::format("{}", fmt::join(ends, " AND "));
}

/// An arc of a circle with countable places, from place `low` up to but not including `high`. `literal` is called with
/// whether its value ends a range.
template <class Literal>
std::string arc_of_places(const std::string& value, std::int64_t low, std::int64_t high, std::int64_t n_places,
                          Literal literal) {
  if (high == 0) high = n_places;
  return low < high ? fmt::format("{} BETWEEN {} AND {}", value, literal(low, false), literal(high - 1, true))
                    : fmt::format("{} NOT BETWEEN {} AND {}", value, literal(high, false), literal(low - 1, true));
}

std::string arc_of_hours(const Condition& condition, const SqlColumn& column) {
  const auto since_midnight = [](double hours) {
    return std::llround(hours * values::microseconds_per_hour) % values::microseconds_per_day;
  };
  return arc_of_places(column.clock(), since_midnight(condition.low), since_midnight(condition.high),
                       values::microseconds_per_day,
                       [&](std::int64_t clock, bool is_last) { return column.clock_literal(clock, is_last); });
}

std::string arc_of_days(const Condition& condition, const SqlColumn& column) {
  constexpr int n_days = 366;
  const auto day = [](double bound) { return static_cast<int>(bound) % n_days; };
  return arc_of_places(column.day_of_year(), day(condition.low), day(condition.high), n_days,
                       [&](std::int64_t place, bool) { return column.day_literal(static_cast<int>(place)); });
}

/// Maps numbers to their place on the circle first, and to the number of the cell where the circle has cells.
std::string arc_of_numbers(const Condition& condition, const SqlColumn& column, const NativeScale& scale) {
  const std::string number = fmt::format("({})", column.number());
  const std::string period = sql_number(scale.period());
  const bool has_cells = scale.step() > 0;
  std::string place = fmt::format("({0} - {1} * {2})", number, period, column.turns(number, period));
  if (has_cells) place = fmt::format("({} / {} + 1e-9)", place, sql_number(scale.step()));
  const double length = has_cells ? scale.to_encoded(scale.period()) : scale.period();
  const double low = std::fmod(scale.to_encoded(condition.low), length);
  const double high = std::fmod(scale.to_encoded(condition.high), length);
  const std::string from = fmt::format("{} >= {}", place, sql_number(low));
  const std::string before = fmt::format("{} < {}", place, sql_number(high > 0 ? high : length));
  if (low > high && high > 0) return fmt::format("({} OR {})", from, before);
  // A value that rounding moves to the end of the circle belongs to its beginning.
  if (low == 0) return fmt::format("({} OR {} >= {})", before, place, sql_number(length));
  return fmt::format("{} AND {}", from, before);
}

/// The literals of the levels in a set.
template <class Literal>
std::vector<std::string> literals_of(const LevelSet& levels, Literal literal) {
  std::vector<std::string> literals;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (levels[i]) literals.push_back(literal(i));
  return literals;
}

/// The literals that stand for true, and for false.
std::vector<std::string> words_of_booleans(const LevelSet& levels) {
  std::vector<std::string> words;
  if (levels[0]) words = {"'false'", "'f'", "'no'", "'n'", "'0'", "'0.0'", "'-0.0'"};
  if (levels[1]) words.insert(words.end(), {"'true'", "'t'", "'yes'", "'y'", "'1'", "'1.0'"});
  return words;
}

std::string is_one_of(const std::string& value, const std::vector<std::string>& literals) {
  if (literals.empty()) return "1 = 0";
  return fmt::format("{} IN ({})", value, fmt::join(literals, ", "));
}

std::string set_of_levels(const Condition& condition, const ColumnSchema& schema, const SqlColumn& column) {
  const LevelNames names(schema, condition.derivation);
  LevelSet levels = explain::levels_of(condition, names);
  if (schema.kind == Kind::boolean) return is_one_of(column.word(), words_of_booleans(levels));
  if (condition.derivation == Derivation::day_of_week)
    return is_one_of(column.weekday(), literals_of(levels, [&](std::size_t i) { return column.weekday_literal(i); }));
  if (condition.derivation == Derivation::month)
    return is_one_of(column.month(), literals_of(levels, [&](std::size_t i) { return column.month_literal(i); }));
  const auto literal = [&](std::size_t i) {
    return schema.numeric_levels ? names.names()[i] : explain::sql_text(names.names()[i]);
  };
  const std::string value = schema.numeric_levels ? column.number() : column.text();
  if (condition.shape == Shape::levels) return is_one_of(value, literals_of(levels, literal));
  levels.flip();
  return fmt::format("{} NOT IN ({})", value, fmt::join(literals_of(levels, literal), ", "));
}

std::string clause_of(const Condition& condition, const ColumnSchema& schema, const SqlColumn& column) {
  switch (condition.shape) {
    case Shape::missing:
      return fmt::format("{} IS NULL", column.value());
    case Shape::present:
      return fmt::format("{} IS NOT NULL", column.value());
    case Shape::levels:
    case Shape::other_levels:
      return set_of_levels(condition, schema, column);
    case Shape::range:
      return condition.derivation ? range_of_times(condition, column) : range_of_numbers(condition, column);
    case Shape::arc:
      break;
  }
  if (condition.derivation == Derivation::hour_of_day) return arc_of_hours(condition, column);
  if (condition.derivation == Derivation::day_of_year) return arc_of_days(condition, column);
  return arc_of_numbers(condition, column, NativeScale(schema, {}));
}

}  // namespace

std::string to_sql(std::span<const Condition> conditions, const Schema& schema, SqlDialect dialect) {
  if (conditions.empty()) return "1 = 1";
  std::vector<std::string> clauses;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const ColumnSchema& column = explain::check_condition(conditions[i], schema, i);
    clauses.push_back(clause_of(conditions[i], column, *explain::make_sql_column(column, dialect)));
  }
  return fmt::format("{}", fmt::join(clauses, " AND "));
}

}  // namespace pidforest
