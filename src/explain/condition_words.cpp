// SPDX-License-Identifier: Apache-2.0
// A condition in words for people, with rounded numbers. Its SQL and its JSON are exact.
// Declared in pidforest/explain.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "explain/condition.h"
#include "pidforest/explain.h"
#include "schema/level_names.h"
#include "schema/native_scale.h"
#include "values/excerpt.h"
#include "values/number_words.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest {

namespace {

using schema::LevelNames;
using schema::LevelSet;
using schema::NativeScale;
using values::excerpt;
using values::Fractions;

constexpr int n_digits_shown = 6;

// Ranges and arcs of numbers.

/// The ends of a range as text; an open end is empty.
struct Ends {
  std::string low = {};
  std::string high = {};
  bool low_is_inside = true;
  bool high_is_inside = false;
};

/// Two ends, with enough digits to tell them apart.
std::pair<std::string, std::string> ends_in_words(double low, double high) {
  constexpr int all_digits = 17;
  for (int n_digits = n_digits_shown;; ++n_digits) {
    std::string first = values::number_words(low, n_digits);
    std::string second = values::number_words(high, n_digits);
    if (first != second || n_digits == all_digits) return {std::move(first), std::move(second)};
  }
}

std::string words_of_range(std::string_view name, const Ends& ends) {
  if (ends.high.empty()) return fmt::format("{} >{} {}", name, ends.low_is_inside ? "=" : "", ends.low);
  const std::string_view below = ends.high_is_inside ? "<=" : "<";
  if (ends.low.empty()) return fmt::format("{} {} {}", name, below, ends.high);
  return fmt::format("{} {} {} {} {}", ends.low, ends.low_is_inside ? "<=" : "<", name, below, ends.high);
}

/// Whole numbers are written out, and the upper end is the last number inside.
std::string words_of_whole_range(std::string_view name, const Condition& condition) {
  constexpr int all_digits = 17;
  const std::string first = values::number_words(condition.low, all_digits);
  const std::string last = values::number_words(condition.high - 1, all_digits);
  if (std::isinf(condition.high)) return fmt::format("{} >= {}", name, first);
  if (std::isinf(condition.low)) return fmt::format("{} <= {}", name, last);
  return first == last ? fmt::format("{} = {}", name, first) : fmt::format("{} {} to {}", name, first, last);
}

std::string words_of_numbers(std::string_view name, const Condition& condition) {
  const explain::Bound low = explain::lower_bound(condition.low);
  const explain::Bound high = explain::upper_bound(condition.high);
  Ends ends{.low_is_inside = low.is_inside, .high_is_inside = high.is_inside};
  if (std::isfinite(low.number) && std::isfinite(high.number)) {
    if (low.number == high.number)
      return fmt::format("{} = {}", name, values::number_words(low.number, n_digits_shown));
    std::tie(ends.low, ends.high) = ends_in_words(low.number, high.number);
  } else if (std::isfinite(low.number)) {
    ends.low = values::number_words(low.number, n_digits_shown);
  } else {
    ends.high = values::number_words(high.number, n_digits_shown);
  }
  return words_of_range(name, ends);
}

/// An arc that ends where the circle begins is said to end at the end of the circle.
double end_of_arc(const Condition& condition, double period) { return condition.high > 0 ? condition.high : period; }

std::string words_of_arc(std::string_view name, const Condition& condition, const NativeScale& scale) {
  const double end = end_of_arc(condition, scale.period());
  if (scale.step() == 0) {
    const auto [low, high] = ends_in_words(condition.low, end);
    return fmt::format("{} from {} to {}", name, low, high);
  }
  const std::string first = values::number_words(condition.low, n_digits_shown);
  const std::string last = values::number_words(end - scale.step(), n_digits_shown);
  return first == last ? fmt::format("{} = {}", name, first) : fmt::format("{} {} to {}", name, first, last);
}

// Times.

std::string words_of_hours(std::string_view name, const Condition& condition) {
  constexpr double hours_per_day = 24;
  const auto clocks = [&](Fractions fractions) {
    const auto clock = [&](double hours) {
      return values::clock_text(std::llround(hours * values::microseconds_per_hour), fractions);
    };
    return std::pair(clock(condition.low), clock(end_of_arc(condition, hours_per_day)));
  };
  auto [low, high] = clocks(Fractions::none);
  if (low == high) std::tie(low, high) = clocks(Fractions::exact);
  return fmt::format("{} {}-{}", name, low, high);
}

std::string words_of_days(std::string_view name, const Condition& condition) {
  constexpr double days_per_leap_year = 366;
  const auto first = static_cast<int>(condition.low);
  const auto last = static_cast<int>(end_of_arc(condition, days_per_leap_year)) - 1;
  if (first == last) return fmt::format("{} on {}", name, values::day_words(first));
  return fmt::format("{} {} to {}", name, values::day_words(first), values::day_words(last));
}

std::string words_of_times(std::string_view name, const Condition& condition, const ColumnSchema& column) {
  const std::string zone_name = column.zone.empty() ? "UTC" : column.zone;
  const values::Zone zone(zone_name);
  const auto ends = [&](Fractions fractions) {
    const auto time = [&](double seconds) {
      if (std::isinf(seconds)) return std::string();
      const std::int64_t utc = schema::first_microsecond(seconds, values::microseconds_per_second);
      return values::date_time_text(zone.to_local(utc), ' ', fractions);
    };
    return std::pair(time(condition.low), time(condition.high));
  };
  auto [low, high] = ends(Fractions::none);
  if (low == high) std::tie(low, high) = ends(Fractions::exact);
  return fmt::format("{} ({})", words_of_range(name, {.low = low, .high = high}), excerpt(zone_name));
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

/// "size is M", "stars = 3", "region in Americas".
std::string words_of_level(std::string_view name, const std::string& level, const ColumnSchema& column,
                           bool is_branch) {
  const bool is_text = !column.numeric_levels;
  return fmt::format("{} {} {}", name, is_branch ? "in" : is_text ? "is" : "=", level_in_words(level));
}

std::string words_of_run(std::string_view name, const Condition& condition, const ColumnSchema& column,
                         const LevelNames& names) {
  const LevelSet levels = explain::levels_of(condition, names);
  const auto run = run_of(levels, column.kind != Kind::ordinal);
  if (!run) return fmt::format("{} in {}", name, set_in_words(names.names_of(levels)));
  const auto& [first, last] = *run;
  if (first != last)
    return fmt::format("{} {} to {}", name, level_in_words(names.names()[first]), level_in_words(names.names()[last]));
  if (column.kind != Kind::time) return words_of_level(name, names.names()[first], column, false);
  return fmt::format("{} {} {}", name, condition.derivation == Derivation::month ? "in" : "on", names.names()[first]);
}

/// "country is not DE", "country is not in {DE, FR}".
std::string words_without(std::string_view name, const std::vector<std::string>& outside, const LevelNames& names,
                          bool has_unheard) {
  const bool is_one_level = outside.size() == 1 && !names.is_branch(outside[0]);
  return fmt::format("{} is {}not {}{}", name, has_unheard ? "" : "a known level and ", is_one_level ? "" : "in ",
                     outside.size() == 1 ? level_in_words(outside[0]) : set_in_words(outside));
}

/// Names the included levels or the excluded ones, whichever list is shorter.
std::string words_of_category(std::string_view name, const Condition& condition, const ColumnSchema& column,
                              const LevelNames& names) {
  const bool has_unheard = condition.shape == Condition::Shape::other_levels;
  LevelSet levels = explain::levels_of(condition, names);
  const std::vector<std::string> inside = names.names_of(levels);
  levels.flip();
  const std::vector<std::string> outside = names.names_of(levels);
  if (inside.empty()) return fmt::format("{} is an unseen level", name);
  if (outside.empty()) return fmt::format("{} is {}", name, has_unheard ? "not missing" : "a known level");
  if (outside.size() < inside.size() + (has_unheard ? 1 : 0)) return words_without(name, outside, names, has_unheard);
  const std::string known = inside.size() > 1 ? fmt::format("{} in {}", name, set_in_words(inside))
                                              : words_of_level(name, inside[0], column, names.is_branch(inside[0]));
  return has_unheard ? known + " or an unseen level" : known;
}

std::string words_of_levels(std::string_view name, const Condition& condition, const ColumnSchema& column) {
  const LevelNames names(column, condition.derivation);
  const bool is_in_order = column.kind != Kind::category && column.kind != Kind::boolean;
  return is_in_order ? words_of_run(name, condition, column, names) : words_of_category(name, condition, column, names);
}

std::string with_unit(std::string words, const ColumnSchema& column) {
  return column.unit.empty() ? words : fmt::format("{} {}", words, excerpt(column.unit));
}

std::string words_of_bounds(std::string_view name, const Condition& condition, const ColumnSchema& column) {
  if (condition.derivation == Derivation::hour_of_day) return words_of_hours(name, condition);
  if (condition.derivation == Derivation::day_of_year) return words_of_days(name, condition);
  if (condition.derivation == Derivation::epoch) return words_of_times(name, condition, column);
  const NativeScale scale(column, condition.derivation);
  if (condition.shape == Condition::Shape::arc) return with_unit(words_of_arc(name, condition, scale), column);
  return with_unit(scale.step() > 0 ? words_of_whole_range(name, condition) : words_of_numbers(name, condition),
                   column);
}

std::string words_of(const Condition& condition, const ColumnSchema& column) {
  const std::string name = excerpt(condition.column);
  switch (condition.shape) {
    case Condition::Shape::missing:
      return fmt::format("{} is missing", name);
    case Condition::Shape::present:
      return fmt::format("{} is not missing", name);
    case Condition::Shape::levels:
    case Condition::Shape::other_levels:
      return words_of_levels(name, condition, column);
    default:
      return words_of_bounds(name, condition, column);
  }
}

}  // namespace

std::string to_words(const Condition& condition, const Schema& schema) {
  return words_of(condition, explain::check_condition(condition, schema));
}

std::string to_words(std::span<const Condition> conditions, const Schema& schema) {
  if (conditions.empty()) return "anything";
  std::vector<std::string> words;
  for (std::size_t i = 0; i < conditions.size(); ++i)
    words.push_back(words_of(conditions[i], explain::check_condition(conditions[i], schema, i)));
  return fmt::format("{}", fmt::join(words, " and "));
}

std::string counts_in_words(const Witness& witness) {
  const std::string inside =
      fmt::format("{} of {} rows", witness.n_inside == 0 ? "none" : values::count_words(witness.n_inside),
                  values::count_words(witness.n_rows));
  // A witness with conditions and the volume of the whole space lies outside the fitted space.
  if (!witness.conditions.empty() && witness.volume >= 1)
    return fmt::format("outside the fitted range, {}: {:.1f} bits", inside, witness.bits);
  return fmt::format("{} of the space, {} (about {} expected): {:.1f} bits", values::share_words(witness.volume),
                     inside, values::expected_words(witness.expected()), witness.bits);
}

std::string to_words(const Witness& witness, const Schema& schema) {
  return fmt::format("{}: {}", to_words(witness.conditions, schema), counts_in_words(witness));
}

}  // namespace pidforest
