// SPDX-License-Identifier: Apache-2.0
// Declared in schema/column_facts.h.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "schema/column_facts.h"
#include "schema/text_facts.h"
#include "schema/time_facts.h"
#include "table/value.h"
#include "values/excerpt.h"

namespace pidforest::schema {

namespace {

/// The end of a note: how many values are missing.
std::string missing_note(std::size_t n_missing, std::size_t n_rows) {
  return n_missing == 0 ? "" : fmt::format("; {} of {} values are missing", n_missing, n_rows);
}

ColumnSchema of_kind(Kind kind, const std::string& name, std::string note = "") {
  ColumnSchema schema;
  schema.name = name;
  schema.kind = kind;
  schema.note = std::move(note);
  return schema;
}

ColumnSchema ignored(const std::string& name, std::string note) {
  return of_kind(Kind::ignored, name, std::move(note));
}

ColumnSchema without_values(const std::string& name, std::size_t n_rows) {
  return ignored(name, n_rows == 0 ? "no rows" : "every value is missing");
}

bool are_all_missing(const TextFacts& facts) { return facts.n_of(TextFacts::Form::missing) == facts.n_present(); }

/// The number of texts that mean "missing" among numbers and times.
std::size_t n_meaning_missing(const TextFacts& facts) {
  return facts.n_of(TextFacts::Form::missing) + facts.n_of(TextFacts::Form::word);
}

bool are_all_numbers(const TextFacts& facts) {
  const std::size_t n_numbers = facts.n_of(TextFacts::Form::number);
  return n_numbers > 0 && n_numbers + n_meaning_missing(facts) == facts.n_present();
}

/// The end of the note of numbers or times: the words that mean "missing", and how many values are missing.
std::string missing_note(const TextFacts& facts) {
  const std::string words = facts.found().words.text();
  return (words.empty() ? "" : fmt::format("; {} as missing", words)) +
         missing_note(facts.n_missing() + n_meaning_missing(facts), facts.n_missing() + facts.n_present());
}

/// True if most texts are numbers, but not all.
bool are_mostly_numbers(const TextFacts& facts) {
  const std::size_t n_numbers = facts.n_of(TextFacts::Form::number);
  const std::size_t n_missing = facts.n_of(TextFacts::Form::missing);
  const std::size_t n_others = facts.n_of(TextFacts::Form::no_number) + facts.n_of(TextFacts::Form::written);
  return n_others > 0 && n_numbers > facts.n_present() - n_missing - n_numbers;
}

[[noreturn]] void refuse_mixture(const std::string& name, const TextFacts& facts) {
  const std::string demand = fmt::format("must be a number, like {} of {} values", facts.n_of(TextFacts::Form::number),
                                         facts.n_present() - n_meaning_missing(facts));
  constexpr std::string_view remedy =
      R"(Leave it empty if it is missing; otherwise declare the column with "kind": "category", or exclude the column.)";
  facts.refuse_first_no_number(name, {.demand = demand, .remedy = remedy});
}

std::string_view note_of(Resolution resolution) {
  switch (resolution) {
    case Resolution::hour:
      return "every value is a whole hour";
    case Resolution::minute:
      return "every value is a whole minute";
    case Resolution::second:
      return "every value is a whole second";
    default:
      return "with fractions of seconds";
  }
}

std::string_view note_of(DateOrder order) {
  switch (order) {
    case DateOrder::no_date:
      return "clock times without a date";
    case DateOrder::no_year:
      return "dates and times without a year";
    default:
      return "date and time";
  }
}

ColumnSchema infer_time(const std::string& name, DateOrder order, const WrittenZone& zone, const TimeFacts& facts) {
  ColumnSchema schema = of_kind(Kind::time, name);
  schema.date_order = order;
  schema.zone = zone.zone;
  complete_time(schema, facts);
  if (schema.derive.empty() && order == DateOrder::no_day)
    return ignored(name, "months of less than two years; declare kind time, date_order and derive to use them");
  if (schema.derive.empty())
    return ignored(name, "dates and times of the same hour and weekday; declare kind time and derive to use them");
  const std::string_view resolution = note_of(schema.resolution.value_or(Resolution::hour));
  schema.note =
      order == DateOrder::no_day ? "months" : fmt::format("{}; {}; {}", note_of(order), resolution, zone.reason);
  return schema;
}

std::optional<ColumnSchema> infer_dates(const std::string& name, const TextFacts& facts) {
  if (const auto order = facts.date_order()) {
    const WrittenTimes times = facts.times(*order);
    return infer_time(name, *order, times.zone(), times.facts());
  }
  if (facts.are_times(DateOrder::day_first))
    return ignored(name, fmt::format("dates such as {} may begin with the day or the month; declare kind time and "
                                     "date_order, day_first or month_first",
                                     values::excerpt(facts.least_text())));
  return std::nullopt;
}

/// What keeps a column from being numbers as people write them, if most of its texts are; otherwise an empty text.
std::string almost_numbers(const TextFacts& facts) {
  const std::size_t n_values = facts.n_present() - n_meaning_missing(facts);
  const std::size_t n_numbers = facts.n_of(TextFacts::Form::number) + facts.n_of(TextFacts::Form::written);
  const FirstText& misfit = facts.found().first_misfit;
  const bool are_in_two_ways = misfit.text.empty() && facts.n_of(TextFacts::Form::written) > 0;
  if (2 * n_numbers <= n_values || (misfit.text.empty() && !are_in_two_ways)) return "";
  if (are_in_two_ways) return "numbers, but written in more than one way";
  return fmt::format("{} of {} values are numbers, but row {} has '{}'", n_numbers, n_values, misfit.row + 1,
                     values::excerpt(misfit.text));
}

/// True if at least nine in ten of the values differ, so that the texts are names of rows.
bool are_nearly_all_different(std::size_t n_levels, std::size_t n_values) {
  constexpr std::size_t fewest = 100;
  return n_values >= fewest && 10 * n_levels >= 9 * n_values;
}

ColumnSchema infer_category(const std::string& name, const TextFacts& facts) {
  constexpr std::size_t fewest_identifiers = 20;
  const std::optional<std::size_t> n_levels = facts.n_levels();
  const std::string almost = almost_numbers(facts);
  if (!almost.empty() && (!n_levels || *n_levels > fewest_identifiers))
    return ignored(name, almost + "; correct them, or declare it a category to use it");
  if (!n_levels)
    return ignored(name, fmt::format("more than {} different texts: taken for an identifier; declare it a category "
                                     "to use it",
                                     TextFacts::most_levels));
  if (*n_levels == facts.n_present() && facts.n_present() >= fewest_identifiers)
    return ignored(name, fmt::format("every one of {} values is different: an identifier; declare it a category to "
                                     "use it",
                                     facts.n_present()));
  if (are_nearly_all_different(*n_levels, facts.n_present()))
    return ignored(name, fmt::format("{} of {} values differ: nearly an identifier; declare it a category to use it",
                                     *n_levels, facts.n_present()));
  ColumnSchema schema = of_kind(Kind::category, name);
  schema.levels = facts.levels();
  schema.note = n_levels == 1 ? "one text only, which says nothing yet" : fmt::format("{} different texts", *n_levels);
  if (!almost.empty()) schema.note += "; " + almost;
  return schema;
}

ColumnSchema infer_written(const std::string& name, const TextFacts& facts, const values::NumberForm& form) {
  ColumnSchema schema = of_kind(Kind::continuous, name);
  schema.written = form.example();
  schema.note = fmt::format("written like {}{}", schema.written, missing_note(facts));
  return schema;
}

ColumnSchema infer_texts(const std::string& name, const TextFacts& facts) {
  const std::size_t n_rows = facts.n_present() + facts.n_missing();
  if (are_all_missing(facts)) return without_values(name, n_rows);
  if (are_all_numbers(facts)) return of_kind(Kind::continuous, name, "numbers" + missing_note(facts));
  const std::string missing = missing_note(facts.n_missing(), n_rows);
  if (facts.are_booleans()) return of_kind(Kind::boolean, name, "true and false" + missing);
  std::optional<ColumnSchema> schema = infer_dates(name, facts);
  if (schema) {
    schema->note += missing_note(facts);
    return *std::move(schema);
  }
  if (const auto form = facts.written_form()) return infer_written(name, facts, *form);
  if (are_mostly_numbers(facts)) refuse_mixture(name, facts);
  schema = infer_category(name, facts);
  schema->note += missing;
  return *std::move(schema);
}

ColumnSchema infer_others(const std::string& name, ColumnType type, const ColumnFacts::Found& facts) {
  if (facts.n_missing == facts.n_rows) return without_values(name, facts.n_rows);
  ColumnSchema schema = type == ColumnType::time
                            ? infer_time(name, DateOrder::year_first, WrittenTimes().zone(), facts.times)
                        : type == ColumnType::boolean ? of_kind(Kind::boolean, name, "true and false")
                                                      : of_kind(Kind::continuous, name, "numbers");
  schema.note += missing_note(facts.n_missing, facts.n_rows);
  return schema;
}

}  // namespace

ColumnSchema infer_column(const std::string& name, ColumnType type, const ColumnFacts::Found& facts) {
  return type == ColumnType::text ? infer_texts(name, facts.texts) : infer_others(name, type, facts);
}

}  // namespace pidforest::schema
