// SPDX-License-Identifier: Apache-2.0
// Conditions and witnesses as JSON, which is exact: reading it back gives equal conditions. See docs/explanations.md.
// Declared in pidforest/explain.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "explain/condition.h"
#include "pidforest/error.h"
#include "pidforest/explain.h"
#include "schema/native_scale.h"
#include "schema/schema_words.h"
#include "values/excerpt.h"
#include "values/json.h"
#include "values/number_text.h"
#include "values/time.h"
#include "values/time_text.h"
#include "values/utf8.h"

namespace pidforest {

namespace {

using explain::ConditionPlace;
using values::excerpt;
using values::Json;
using values::JsonChild;
using values::JsonChildren;
using values::JsonKind;
using values::shortest_text;
using Shape = Condition::Shape;

constexpr std::string_view any_shape = "must have one of at_least and below, from and before, in, not_in, missing";

// Bounds are numbers, or the usual texts for derivations of a time ("22:00", "Mar 01").

std::string print_text(std::string_view text) {
  if (!values::is_utf8(text)) throw InvalidInput(fmt::format("a condition must be UTF-8; got '{}'.", excerpt(text)));
  return values::quoted(std::string(text));
}

std::string print_bound(double bound, std::optional<Derivation> derivation) {
  if (derivation == Derivation::hour_of_day)
    return print_text(
        values::clock_text(std::llround(bound * values::microseconds_per_hour), values::Fractions::exact));
  if (derivation == Derivation::day_of_year) return print_text(values::day_text(static_cast<int>(bound)));
  if (derivation == Derivation::epoch)
    return print_text(values::date_time_text(schema::first_microsecond(bound, values::microseconds_per_second), 'T',
                                             values::Fractions::exact) +
                      "Z");
  return shortest_text(bound);
}

/// A value of a condition, with its position for messages.
struct Entry {
  std::string_view key;
  Json json;
  const ConditionPlace& place;

  [[noreturn]] void refuse(std::string_view demand) const {
    place.refuse(excerpt(key), fmt::format("{}; got {}", demand, describe(json)));
  }
};

/// Returns the value. Throws InvalidInput if there is none.
template <typename Value>
Value read(const std::optional<Value>& value, const Entry& entry, std::string_view demand) {
  if (!value) entry.refuse(demand);
  return *value;
}

/// The clock of a text that becomes a time when `before` is put in front of it.
std::optional<values::WrittenTime> read_time(std::string_view before, const Entry& entry) {
  const auto text = entry.json.text();
  return !text ? std::nullopt : values::parse_time(fmt::format("{}{}", before, *text), DateOrder::year_first);
}

/// Microseconds since the beginning of a leap year.
std::int64_t since_2000(const values::WrittenTime& time) {
  constexpr std::int64_t year_2000 = 946'684'800'000'000;
  return time.clock - year_2000;
}

double read_hours(const Entry& entry) {
  const auto time = read_time("2000-01-01T", entry);
  if (!time || time->offset_minutes) entry.refuse("must be a time of day such as \"22:00\"");
  return static_cast<double>(since_2000(*time)) / values::microseconds_per_hour;
}

double read_day(const Entry& entry) {
  const auto time = read_time("2000-", entry);
  if (!time || time->has_time_of_day) entry.refuse("must be a month and a day such as \"02-29\"");
  return static_cast<double>(since_2000(*time) / values::microseconds_per_day);
}

double read_epoch(const Entry& entry) {
  constexpr double year_1 = -62'135'596'800;
  constexpr double year_10000 = 253'402'300'800;
  const auto time = read_time("", entry);
  if (!time || !time->offset_minutes) entry.refuse("must be a time with its offset, such as \"2026-11-16T08:30:00Z\"");
  const double seconds = static_cast<double>(values::Zone("UTC").to_utc(*time)) / values::microseconds_per_second;
  if (!(seconds >= year_1 && seconds < year_10000)) entry.refuse("must be in the years 1 to 9999 of UTC");
  return seconds;
}

double read_bound(const Entry& entry, std::optional<Derivation> derivation) {
  if (derivation == Derivation::hour_of_day) return read_hours(entry);
  if (derivation == Derivation::day_of_year) return read_day(entry);
  if (derivation == Derivation::epoch) return read_epoch(entry);
  return read(entry.json.number(), entry, "must be a number");
}

// Values other than bounds.

Derivation read_derivation(const Entry& entry) {
  const auto word = entry.json.text();
  const auto found = word ? std::ranges::find(schema::derivation_names, *word) : schema::derivation_names.end();
  if (found == schema::derivation_names.end())
    entry.refuse(fmt::format("must be one of {}", fmt::join(schema::derivation_names, ", ")));
  return static_cast<Derivation>(found - schema::derivation_names.begin());
}

/// The text of a level; numbers and booleans are levels too.
std::string read_level(const Json& item, const Entry& entry, std::size_t i) {
  if (const auto text = item.text()) return std::string(*text);
  if (const auto number = item.number()) return shortest_text(*number);
  if (const auto boolean = item.boolean()) return *boolean ? "true" : "false";
  entry.place.refuse(fmt::format("{}[{}]", entry.key, i),
                     fmt::format("must be a string, a number, true or false; got {}", describe(item)));
}

std::vector<std::string> read_levels(const Entry& entry) {
  constexpr std::string_view demand = "must be a non-empty array of levels";
  if (entry.json.kind() != JsonKind::array) entry.refuse(demand);
  std::vector<std::string> levels;
  for (const JsonChild& item : entry.json.children()) levels.push_back(read_level(item.value, entry, levels.size()));
  if (levels.empty()) entry.place.refuse(entry.key, fmt::format("{}; got none", demand));
  return levels;
}

double read_share(const Entry& entry) {
  constexpr std::string_view demand = "must be a number above 0 and at most 1";
  const double share = read(entry.json.number(), entry, demand);
  if (!(share > 0 && share <= 1)) entry.refuse(demand);
  return share;
}

/// The shape that a key implies, and how its value is read.
struct KeyFormat {
  std::string_view key;
  std::optional<Shape> shape;
  void (*read)(const Entry& entry, Condition& condition);
};

constexpr std::array<KeyFormat, 10> formats{{
    {"column", {}, [](const Entry&, Condition&) {}},
    {"derivation", {}, [](const Entry&, Condition&) {}},
    {"at_least", Shape::range, [](const Entry& e, Condition& c) { c.low = read_bound(e, c.derivation); }},
    {"below", Shape::range, [](const Entry& e, Condition& c) { c.high = read_bound(e, c.derivation); }},
    {"from", Shape::arc, [](const Entry& e, Condition& c) { c.low = read_bound(e, c.derivation); }},
    {"before", Shape::arc, [](const Entry& e, Condition& c) { c.high = read_bound(e, c.derivation); }},
    {"in", Shape::levels, [](const Entry& e, Condition& c) { c.levels = read_levels(e); }},
    {"not_in", Shape::other_levels, [](const Entry& e, Condition& c) { c.levels = read_levels(e); }},
    {"missing", Shape::missing,
     [](const Entry& e, Condition& c) {
       c.shape = read(e.json.boolean(), e, "must be true or false") ? Shape::missing : Shape::present;
     }},
    {"share", {}, [](const Entry& e, Condition& c) { c.share = read_share(e); }},
}};

const KeyFormat& format_of(std::string_view key, const ConditionPlace& place) {
  const auto found = std::ranges::find(formats, key, &KeyFormat::key);
  if (found == formats.end()) {
    std::vector<std::string_view> keys;
    std::ranges::transform(formats, std::back_inserter(keys), &KeyFormat::key);
    place.refuse(excerpt(key), fmt::format("the keys of a condition may be {}", fmt::join(keys, ", ")));
  }
  return *found;
}

/// The shape that all keys agree on.
Shape shape_of(const JsonChildren& members, const ConditionPlace& place) {
  const KeyFormat* first = nullptr;
  for (const JsonChild& member : members) {
    const KeyFormat& format = format_of(member.key, place);
    if (!format.shape) continue;
    if (first != nullptr && first->shape != format.shape)
      place.refuse("", fmt::format("{}; got {} and {}", any_shape, first->key, format.key));
    first = &format;
  }
  if (first == nullptr) place.refuse("", fmt::format("{}; got none", any_shape));
  return *first->shape;
}

Condition read_condition(const Json& json, std::size_t index) {
  ConditionPlace place{index};
  if (json.kind() != JsonKind::object) place.refuse("", fmt::format("must be an object; got {}", describe(json)));
  const JsonChildren members = json.children();
  const auto column = members.find("column");
  if (!column) place.refuse("column", "must be the name of a column; got none");
  Condition condition{.column = std::string(read(column->text(), {"column", *column, place}, "must be a string"))};
  place.column = condition.column;
  if (const auto derivation = members.find("derivation"))
    condition.derivation = read_derivation({"derivation", *derivation, place});
  condition.shape = shape_of(members, place);
  for (const auto& [key, value] : members) format_of(key, place).read({key, value, place}, condition);
  if (condition.shape == Shape::arc && (!members.find("from") || !members.find("before")))
    place.refuse("", "an arc must have from and before; got one of them");
  return condition;
}

void print_shape(const Condition& condition, std::vector<std::string>& members) {
  const auto bound = [&](std::string_view key, double number) {
    if (std::isfinite(number))
      members.push_back(fmt::format("\"{}\": {}", key, print_bound(number, condition.derivation)));
  };
  const auto levels = [&](std::string_view key) {
    std::vector<std::string> items;
    std::ranges::transform(condition.levels, std::back_inserter(items), print_text);
    members.push_back(fmt::format("\"{}\": [{}]", key, fmt::join(items, ", ")));
  };
  const bool is_arc = condition.shape == Shape::arc;
  if (condition.shape == Shape::levels) return levels("in");
  if (condition.shape == Shape::other_levels) return levels("not_in");
  if (condition.shape == Shape::missing || condition.shape == Shape::present) {
    members.push_back(fmt::format("\"missing\": {}", condition.shape == Shape::missing));
    return;
  }
  bound(is_arc ? "from" : "at_least", condition.low);
  bound(is_arc ? "before" : "below", condition.high);
}

std::string print_condition(const Condition& condition) {
  std::vector<std::string> members{fmt::format("\"column\": {}", print_text(condition.column))};
  if (condition.derivation)
    members.push_back(fmt::format("\"derivation\": \"{}\"",
                                  schema::derivation_names[static_cast<std::size_t>(*condition.derivation)]));
  print_shape(condition, members);
  if (condition.share != 1) members.push_back(fmt::format("\"share\": {}", shortest_text(condition.share)));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

}  // namespace

std::vector<Condition> explain::read_conditions(const Json& array) {
  if (array.kind() != JsonKind::array)
    throw InvalidInput(fmt::format("conditions: must be an array of objects; got {}.", describe(array)));
  std::vector<Condition> conditions;
  for (const JsonChild& item : array.children()) conditions.push_back(read_condition(item.value, conditions.size()));
  return conditions;
}

std::vector<Condition> parse_conditions(std::string_view json) {
  constexpr std::size_t array_condition_levels = 3;
  const values::JsonDocument document = values::parse_json({"conditions", json, array_condition_levels});
  return explain::read_conditions(Json(document));
}

std::string to_json(std::span<const Condition> conditions) {
  std::vector<std::string> items;
  std::ranges::transform(conditions, std::back_inserter(items), print_condition);
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string to_json(const Witness& witness) {
  const std::string only_value =
      witness.only_value.empty() ? "" : fmt::format(R"(, "only_value": {})", values::quoted(witness.only_value));
  const std::string unrelated =
      witness.n_unrelated ? fmt::format(R"(, "n_unrelated": {})", shortest_text(*witness.n_unrelated)) : "";
  return fmt::format(R"({{"conditions": {}, "volume": {}, "n_inside": {}, "n_rows": {}, "bits": {}{}{}}})",
                     to_json(std::span(witness.conditions)), shortest_text(witness.volume), witness.n_inside,
                     witness.n_rows, shortest_text(witness.bits), only_value, unrelated);
}

}  // namespace pidforest
