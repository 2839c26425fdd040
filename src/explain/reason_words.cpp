// SPDX-License-Identifier: Apache-2.0
// Why a row is rare, in one sentence: its own values, then how many rows are like it.
// Declared in pidforest/explain.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/column_words.h"
#include "explain/condition.h"
#include "explain/condition_words.h"
#include "explain/end_words.h"
#include "pidforest/explain.h"
#include "values/number_words.h"

namespace pidforest {

namespace {

using explain::check_condition;
using Shape = Condition::Shape;

bool is_levels(const Condition& condition) {
  return condition.shape == Shape::levels || condition.shape == Shape::other_levels;
}

/// The whole that the share of a witness is a share of.
std::string_view whole_of(const Witness& witness) {
  if (witness.conditions.size() > 1) return "space";
  const Condition& only = witness.conditions[0];
  if (only.derivation == Derivation::hour_of_day) return "day";
  if (only.derivation == Derivation::day_of_week) return "week";
  if (only.derivation == Derivation::month || only.derivation == Derivation::day_of_year) return "year";
  if (only.shape == Shape::arc) return "circle";
  if (only.shape == Shape::range) return "range";
  return is_levels(only) ? "levels" : "space";
}

/// The evidence beside the count: " (96 % of the range, 14.6 bits)", or " (160 if unrelated, 6.3 bits)" for a rare
/// pair, whose yardstick is the number of rows that unrelated columns would have there. A witness that has the volume
/// of the whole space lies outside the fitted range.
std::string figures(const Witness& witness) {
  if (witness.n_unrelated)
    return fmt::format(" ({} if unrelated, {:.1f} bits)",
                       values::count_words(static_cast<std::uint64_t>(std::llround(*witness.n_unrelated))),
                       witness.bits);
  if (witness.conditions.empty() || witness.volume >= 1) return fmt::format(" ({:.1f} bits)", witness.bits);
  return fmt::format(" ({} of the {}, {:.1f} bits)", values::share_words(witness.volume), whole_of(witness),
                     witness.bits);
}

/// "only 1 of 26,115 rows": "only" means that at least twice as many are expected there.
std::string count_of(const Witness& witness) {
  if (witness.n_inside == 0) return fmt::format("none of {} rows", values::count_words(witness.n_rows));
  return fmt::format("{}{} of {} rows", witness.bits >= 1 ? "only " : "", values::count_words(witness.n_inside),
                     values::count_words(witness.n_rows));
}

/// A condition of several, to follow "rows have": "memory > 69", "country not in {DE, FR}", "no age".
std::string part_in_words(const Condition& condition, const ColumnSchema& column) {
  if (condition.shape == Shape::missing) return fmt::format("no {}", condition.column);
  const std::string place = explain::place_of(condition, column);
  const bool is_named = is_levels(condition) && (place.starts_with("not ") || place.starts_with("a"));
  return is_named ? fmt::format("{} {}", condition.column, place) : explain::words_of(condition, column);
}

/// The rows that satisfy the conditions: " is above 42.6", " have memory > 69 and disk_queue > 2.7". Empty if the row's
/// own values say all.
std::string whereabouts(const Witness& witness, const Schema& schema) {
  const bool is_one = witness.n_inside <= 1;
  std::vector<std::string> parts;
  bool is_plain = true;
  for (std::size_t i = 0; i < witness.conditions.size(); ++i) {
    const Condition& condition = witness.conditions[i];
    const ColumnSchema& column = check_condition(condition, schema, i);
    const std::string place = explain::place_of(condition, column);
    if (witness.conditions.size() == 1 && condition.shape == Shape::missing) return is_one ? " lacks it" : " lack it";
    if (witness.conditions.size() == 1 && !place.empty()) return (is_one ? " is " : " are ") + place;
    is_plain = is_plain && place.empty() && condition.shape != Shape::missing;
    parts.push_back(part_in_words(condition, column));
  }
  return is_plain ? "" : fmt::format(" {} {}", is_one ? "has" : "have", fmt::join(parts, " and "));
}

/// The news about a row that no counted row is like: a level or a value that none of them has.
struct Novelty {
  /// "unseen in all 2,000 rows"
  std::string words = {};
  std::string short_words = {};
};

/// Where the counted rows end, if a condition holds all values beyond them: "end at 98"; else empty. A bound beyond all
/// rows is the last value of the rows: see explain/round_bounds.h.
std::string end_of_rows(const Condition& condition, const ColumnSchema& column) {
  if (condition.shape != Shape::range || condition.derivation) return "";
  Condition rest = condition;
  if (std::isinf(condition.high)) {
    rest.low = -condition.high;
    rest.high = condition.low;
    const explain::EndWords ends = explain::ends_in_words(rest, column);
    return fmt::format("end {} {}", ends.high_is_inside ? "at" : "below", ends.high);
  }
  if (!std::isinf(condition.low)) return "";
  rest.low = condition.high;
  rest.high = -condition.low;
  const explain::EndWords ends = explain::ends_in_words(rest, column);
  return fmt::format("begin {} {}", ends.low_is_inside ? "at" : "above", ends.low);
}

Novelty novelty_of(const Witness& witness, const Schema& schema) {
  if (witness.conditions.size() != 1 || witness.n_inside > 0) return {};
  const std::string all = fmt::format("all {} rows", values::count_words(witness.n_rows));
  if (!witness.only_value.empty())
    return {fmt::format("was {} in {}", witness.only_value, all), "was " + witness.only_value};
  const Condition& only = witness.conditions[0];
  const ColumnSchema& column = check_condition(only, schema);
  if (is_levels(only) && !only.derivation) return {"unseen in " + all, "unseen"};
  const std::string end = end_of_rows(only, column);
  if (end.empty()) return {};
  return {fmt::format("beyond {}, which {}", all, end), "beyond all rows"};
}

/// The column with the most bits, if the witness does not name it and it is worth a word.
const ColumnBits* column_left_out(const Finding& finding, const Witness& witness, const Schema& schema) {
  const auto most = std::ranges::max_element(finding.columns, {}, &ColumnBits::bits);
  if (most == finding.columns.end() || !explain::is_worth_a_word(*most, finding.bits)) return nullptr;
  const std::string& name = schema.columns[most->column].name;
  const bool is_named = std::ranges::find(witness.conditions, name, &Condition::column) != witness.conditions.end();
  return is_named ? nullptr : &*most;
}

/// How many rows, and where: "1 row above 5.6".
std::string short_count(const Witness& witness, const std::string& place) {
  const std::string count = witness.n_inside == 0 ? "no row" : values::counted(witness.n_inside, "row");
  return place.empty() ? count : fmt::format("{} {}", count, place);
}

/// A place in signs: "> 69" for "above 69".
std::string in_signs(const std::string& place) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"above ", "> "}, {"below ", "< "}, {"at or above ", ">= "}, {"at or below ", "<= "}};
  for (const auto& [words, sign] : signs)
    if (place.starts_with(words)) return fmt::format("{}{}", sign, place.substr(words.size()));
  return place;
}

std::string own_words(const Finding& finding, const Witness& witness, const Schema& schema) {
  if (finding.own_values.size() != witness.conditions.size()) return to_words(witness.conditions, schema);
  return fmt::format("{}", fmt::join(finding.own_values, " and "));
}

}  // namespace

std::string counts_in_words(const Witness& witness) { return count_of(witness) + figures(witness); }

std::string to_words(const Witness& witness, const Schema& schema) {
  return fmt::format("{}: {}", to_words(witness.conditions, schema), counts_in_words(witness));
}

ReasonWords reason_words(const Finding& finding, const Witness& witness, const Schema& schema) {
  if (witness.conditions.empty()) return {.values = to_words(finding.columns, schema, finding.bits)};
  ReasonWords words{.values = own_words(finding, witness, schema), .evidence = novelty_of(witness, schema).words};
  if (words.evidence.empty()) words.evidence = count_of(witness) + whereabouts(witness, schema) + figures(witness);
  if (const ColumnBits* other = column_left_out(finding, witness, schema))
    words.evidence += "; " + to_words(std::span(other, 1), schema, finding.bits);
  return words;
}

std::string reason_in_words(const Finding& finding, const Witness& witness, const Schema& schema) {
  const ReasonWords words = reason_words(finding, witness, schema);
  return words.evidence.empty() ? words.values : fmt::format("{}: {}", words.values, words.evidence);
}

std::string short_reason_in_words(const Finding& finding, const Witness& witness, const Schema& schema) {
  if (witness.conditions.empty()) return to_words(finding.columns, schema, finding.bits);
  const std::string novelty = novelty_of(witness, schema).short_words;
  if (!novelty.empty()) return fmt::format("{}: {}", own_words(finding, witness, schema), novelty);
  std::vector<std::string> places;
  for (std::size_t i = 0; i < witness.conditions.size(); ++i)
    places.push_back(explain::place_of(witness.conditions[i], check_condition(witness.conditions[i], schema, i)));
  if (places.size() == 1 || finding.own_values.size() != places.size())
    return fmt::format("{}: {}", own_words(finding, witness, schema),
                       short_count(witness, places.size() == 1 ? places[0] : ""));
  std::vector<std::string> parts = finding.own_values;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!places[i].empty()) parts[i] += fmt::format(" ({})", in_signs(places[i]));
  return fmt::format("{}: {}", fmt::join(parts, " and "), short_count(witness, ""));
}

}  // namespace pidforest
