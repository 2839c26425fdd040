// SPDX-License-Identifier: Apache-2.0
// A condition in words for people, with rounded numbers. Its SQL and its JSON are exact.
// Declared in pidforest/explain.h.
#include "explain/condition_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/condition.h"
#include "explain/end_words.h"
#include "explain/rise_words.h"
#include "schema/level_names.h"
#include "values/excerpt.h"

namespace pidforest {

namespace {

using explain::EndWords;
using schema::LevelNames;
using schema::LevelSet;
using values::excerpt;
using Form = explain::EndWords::Form;
using Shape = Condition::Shape;

// Ranges and arcs.

std::string words_of_range(std::string_view name, const EndWords& ends) {
  if (ends.high.empty()) return fmt::format("{} >{} {}", name, ends.low_is_inside ? "=" : "", ends.low);
  const std::string_view below = ends.high_is_inside ? "<=" : "<";
  if (ends.low.empty()) return fmt::format("{} {} {}", name, below, ends.high);
  return fmt::format("{} {} {} {} {}", ends.low, ends.low_is_inside ? "<=" : "<", name, below, ends.high);
}

std::string words_of_ends(std::string_view name, const EndWords& ends) {
  if (ends.is_one_value()) return fmt::format("{} {} {}", name, ends.form == Form::days ? "on" : "=", ends.low);
  const bool is_open = ends.low.empty() || ends.high.empty();
  if (is_open || ends.form == Form::numbers || ends.form == Form::times) return words_of_range(name, ends);
  if (ends.form == Form::hours) return fmt::format("{} {}-{}", name, ends.low, ends.high);
  return fmt::format("{} {}{} to {}", name, ends.form == Form::arc ? "from " : "", ends.low, ends.high);
}

/// With the unit of the numbers, or the zone of the times.
std::string words_of_bounds(std::string_view name, const Condition& condition, const ColumnSchema& column) {
  const EndWords ends = explain::ends_in_words(condition, column);
  if (const auto rises = explain::words_of_rises(ends, column)) return *rises;
  std::string words = words_of_ends(name, ends);
  if (ends.form == Form::times)
    return fmt::format("{} ({})", words, column.zone.empty() ? "UTC" : excerpt(column.zone));
  const bool has_unit = column.kind != Kind::time && !column.unit.empty();
  return has_unit ? fmt::format("{} {}", words, excerpt(column.unit)) : words;
}

std::string place_of_ends(const EndWords& ends) {
  if (ends.is_one_value()) return "";
  const bool is_time = ends.form == Form::times;
  if (ends.high.empty())
    return fmt::format("{} {}", is_time ? "at or after" : ends.low_is_inside ? "at or above" : "above", ends.low);
  if (ends.low.empty())
    return fmt::format("{} {}", is_time ? "before" : ends.high_is_inside ? "at or below" : "below", ends.high);
  const bool is_arc = ends.form == Form::arc;
  return fmt::format("{} {} {} {}", is_arc ? "from" : "between", ends.low, is_arc ? "to" : "and", ends.high);
}

// Levels.

/// A level, quoted where a list would be misread without quotes.
std::string level_in_words(const std::string& level) {
  const std::string shown = excerpt(level);
  const bool is_plain =
      !shown.empty() && shown.find_first_of(",{}'") == std::string::npos && shown.front() != ' ' && shown.back() != ' ';
  return is_plain ? shown : fmt::format("'{}'", shown);
}

/// {AR, BR}, or the first few and how many there are.
std::string set_in_words(const std::vector<std::string>& names) {
  constexpr std::size_t n_shown = 8;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), n_shown); ++i) shown.push_back(level_in_words(names[i]));
  if (names.size() > n_shown) shown.push_back(fmt::format("... ({} in all)", names.size()));
  return fmt::format("{{{}}}", fmt::join(shown, ", "));
}

/// The first and last level of a set whose levels are neighbours; on a circle the set may cross the end.
std::optional<std::pair<std::size_t, std::size_t>> run_of(const LevelSet& levels, bool is_circle) {
  const std::size_t n = levels.size();
  std::optional<std::pair<std::size_t, std::size_t>> run;
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_first = levels[i] && (i > 0 ? !levels[i - 1] : !is_circle || !levels[n - 1]);
    if (!is_first) continue;
    if (run) return {};
    std::size_t last = i;
    while (levels[(last + 1) % n] && (is_circle || last + 1 < n)) ++last;
    run = {i, last % n};
  }
  return run;
}

// The functions below leave out the name of the column.

/// "= M", "in Americas".
std::string words_of_level(const std::string& level, bool is_branch) {
  return fmt::format("{} {}", is_branch ? "in" : "=", level_in_words(level));
}

std::string words_of_run(const Condition& condition, const ColumnSchema& column, const LevelNames& names) {
  const LevelSet levels = explain::levels_of(condition, names);
  const auto run = run_of(levels, column.kind != Kind::ordinal);
  if (!run) return fmt::format("in {}", set_in_words(names.names_of(levels)));
  const auto& [first, last] = *run;
  if (first != last)
    return fmt::format("{} to {}", level_in_words(names.names()[first]), level_in_words(names.names()[last]));
  if (column.kind != Kind::time) return words_of_level(names.names()[first], false);
  return fmt::format("{} {}", condition.derivation == Derivation::month ? "in" : "on", names.names()[first]);
}

/// "is not DE", "is not in {DE, FR}".
std::string words_without(const std::vector<std::string>& outside, const LevelNames& names, bool has_unheard) {
  const bool is_one_level = outside.size() == 1 && !names.is_branch(outside[0]);
  return fmt::format("is {}not {}{}", has_unheard ? "" : "a known level and ", is_one_level ? "" : "in ",
                     outside.size() == 1 ? level_in_words(outside[0]) : set_in_words(outside));
}

/// Names the included levels or the excluded ones, whichever list is shorter.
std::string words_of_category(const Condition& condition, const LevelNames& names) {
  const bool has_unheard = condition.shape == Shape::other_levels;
  LevelSet levels = explain::levels_of(condition, names);
  const std::vector<std::string> inside = names.names_of(levels);
  levels.flip();
  const std::vector<std::string> outside = names.names_of(levels);
  if (inside.empty()) return "is an unseen level";
  if (outside.empty()) return has_unheard ? "is not missing" : "is a known level";
  if (outside.size() < inside.size() + (has_unheard ? 1 : 0)) return words_without(outside, names, has_unheard);
  const std::string known = inside.size() > 1 ? fmt::format("in {}", set_in_words(inside))
                                              : words_of_level(inside[0], names.is_branch(inside[0]));
  return has_unheard ? known + " or an unseen level" : known;
}

std::string words_of_levels(const Condition& condition, const ColumnSchema& column) {
  const LevelNames names(column, condition.derivation);
  const bool is_in_order = column.kind != Kind::category && column.kind != Kind::boolean;
  return is_in_order ? words_of_run(condition, column, names) : words_of_category(condition, names);
}

bool is_one_level(const Condition& condition, const ColumnSchema& column) {
  const LevelNames names(column, condition.derivation);
  return condition.shape == Shape::levels && std::ranges::count(explain::levels_of(condition, names), true) == 1;
}

std::string place_of_levels(const Condition& condition, const ColumnSchema& column) {
  if (is_one_level(condition, column)) return "";
  const std::string words = words_of_levels(condition, column);
  for (const std::string_view verb : {"is ", "= "})
    if (words.starts_with(verb)) return words.substr(verb.size());
  return words.starts_with("in ") ? words : "from " + words;
}

}  // namespace

std::string explain::words_of(const Condition& condition, const ColumnSchema& column) {
  const std::string name = name_in_words(column);
  switch (condition.shape) {
    case Shape::missing:
      return fmt::format("{} is missing", name);
    case Shape::present:
      return fmt::format("{} is not missing", name);
    case Shape::levels:
    case Shape::other_levels:
      return fmt::format("{} {}", name, words_of_levels(condition, column));
    default:
      return words_of_bounds(name, condition, column);
  }
}

std::string explain::place_of(const Condition& condition, const ColumnSchema& column) {
  switch (condition.shape) {
    case Shape::missing:
      return "";
    case Shape::present:
      return "not missing";
    case Shape::levels:
    case Shape::other_levels:
      return place_of_levels(condition, column);
    default:
      return place_of_ends(ends_in_words(condition, column));
  }
}

std::string to_words(const Condition& condition, const Schema& schema) {
  return explain::words_of(condition, explain::check_condition(condition, schema));
}

std::string to_words(std::span<const Condition> conditions, const Schema& schema) {
  if (conditions.empty()) return "anything";
  std::vector<std::string> words;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    words.push_back(explain::words_of(conditions[i], explain::check_condition(conditions[i], schema, i)));
  return fmt::format("{}", fmt::join(words, " and "));
}

}  // namespace pidforest
