// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/excerpt.h"
#include "data/levels.h"
#include "data/read_text.h"
#include "data/time_column.h"
#include "data/value.h"
#include "pidforest/error.h"
#include "pidforest/schema.h"

namespace pidforest {

namespace {

using data::TextCounts;

std::size_t n_missing(const Column& column, std::size_t n_rows) {
  std::size_t n = 0;
  if (column.first != nullptr)  // numbers are many, and this is all that is asked of them
    for (std::size_t row = 0; row < n_rows; ++row) n += std::isnan(column.number(row)) ? 1 : 0;
  else
    for (std::size_t row = 0; row < n_rows; ++row) n += data::is_missing(column, row) ? 1 : 0;
  return n;
}

/// How many of the values are missing, as the end of a note.
std::string missing_note(std::size_t n_missing, std::size_t n_rows) {
  return n_missing == 0 ? "" : fmt::format("; {} of {} values are missing", n_missing, n_rows);
}

ColumnSchema of_kind(Kind kind, const Column& column, std::string note = "") {
  ColumnSchema schema;
  schema.name = column.name;
  schema.kind = kind;
  schema.note = std::move(note);
  return schema;
}

ColumnSchema ignored(const Column& column, std::string note) { return of_kind(Kind::ignored, column, std::move(note)); }

ColumnSchema without_values(const Column& column, std::size_t n_rows) {
  return ignored(column, n_rows == 0 ? "no rows" : "every value is missing");
}

/// How the texts of a column read as numbers, in rows.
struct NumberForms {
  std::size_t n_numbers = 0;
  /// Blank or "nan".
  std::size_t n_missing = 0;
  std::size_t n_beyond_double = 0;
  std::size_t n_others = 0;

  [[nodiscard]] bool are_all_missing() const { return n_numbers + n_beyond_double + n_others == 0; }
  [[nodiscard]] bool are_all_numbers() const { return n_numbers > 0 && n_beyond_double + n_others == 0; }
  [[nodiscard]] bool are_mostly_numbers() const { return n_others > 0 && n_numbers > n_others + n_beyond_double; }
};

NumberForms forms_of(const TextCounts& counts) {
  using Form = data::NumberReading::Form;
  NumberForms forms;
  for (const auto& [text, n_rows] : counts.entries) {
    const data::NumberReading reading = data::read_number(text);
    std::size_t& n = reading.form == Form::number    ? forms.n_numbers
                     : reading.form == Form::missing ? forms.n_missing
                     : reading.is_beyond_double()    ? forms.n_beyond_double
                                                     : forms.n_others;
    n += n_rows;
  }
  return forms;
}

[[noreturn]] void refuse_mixture(const Column& column, const NumberForms& forms) {
  std::size_t row = 0;
  while (data::read_number(column.text(row)).form != data::NumberReading::Form::no_number) ++row;
  const std::string demand = fmt::format("must be a number, as {} of {} values are", forms.n_numbers,
                                         forms.n_numbers + forms.n_beyond_double + forms.n_others);
  constexpr std::string_view remedy =
      R"(Leave it empty if it is missing; else declare the column with "kind": "category", or leave the column out.)";
  data::refuse(column, row, {.demand = demand, .remedy = remedy});
}

/// Words for true and for false, and nothing else.
bool are_booleans(const TextCounts& counts) {
  bool any_true = false;
  bool any_false = false;
  for (const TextCounts::Entry& entry : counts.entries) {
    const std::optional<bool> word = data::read_boolean(entry.text);
    if (!word) return false;
    (*word ? any_true : any_false) = true;
  }
  return any_true && any_false;
}

bool are_times(const TextCounts& counts, DateOrder order) {
  return std::ranges::all_of(
      counts.entries, [&](const TextCounts::Entry& entry) { return data::parse_time(entry.text, order).has_value(); });
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

ColumnSchema infer_time(const Column& column, std::size_t n_rows, DateOrder order) {
  ColumnSchema schema = of_kind(Kind::time, column);
  schema.date_order = order;
  data::complete_time(schema, column, n_rows);
  if (schema.derive.empty())
    return ignored(column, "dates and times of the same hour and weekday; declare kind time and derive to use them");
  schema.note = fmt::format("date and time; {}; {}", note_of(schema.resolution.value_or(Resolution::hour)),
                            data::written_zone(column, n_rows, order).reason);
  return schema;
}

/// The texts as a column of their own, each once.
ColumnSchema infer_written_time(const Column& column, const TextCounts& counts, DateOrder order) {
  std::vector<std::string_view> texts;
  texts.reserve(counts.entries.size());
  for (const TextCounts::Entry& entry : counts.entries) texts.push_back(entry.text);
  return infer_time(Column::of_texts(column.name, texts.data()), texts.size(), order);
}

std::optional<ColumnSchema> infer_dates(const Column& column, const TextCounts& counts) {
  if (are_times(counts, DateOrder::year_first)) return infer_written_time(column, counts, DateOrder::year_first);
  const bool day_first = are_times(counts, DateOrder::day_first);
  const bool month_first = are_times(counts, DateOrder::month_first);
  if (day_first && month_first)
    return ignored(column, fmt::format("dates such as {} may begin with the day or the month; declare kind time and "
                                       "date_order, day_first or month_first",
                                       data::excerpt(counts.entries.front().text)));
  if (day_first) return infer_written_time(column, counts, DateOrder::day_first);
  if (month_first) return infer_written_time(column, counts, DateOrder::month_first);
  return std::nullopt;
}

ColumnSchema infer_category(const Column& column, const TextCounts& counts, std::size_t n_present) {
  constexpr std::size_t fewest_identifiers = 20;
  const std::size_t n_levels = counts.entries.size();
  if (n_levels == n_present && n_present >= fewest_identifiers)
    return ignored(column, fmt::format("every one of {} values is different: an identifier; declare it a category to "
                                       "use it",
                                       n_present));
  ColumnSchema schema = of_kind(Kind::category, column);
  for (const TextCounts::Entry& entry : counts.entries) schema.levels.emplace_back(entry.text);
  schema.note = n_levels == 1 ? "one text only, which says nothing yet" : fmt::format("{} different texts", n_levels);
  return schema;
}

ColumnSchema infer_texts(const Column& column, std::size_t n_rows) {
  const TextCounts counts = data::count_texts(column, n_rows);
  const NumberForms forms = forms_of(counts);
  if (forms.are_all_missing()) return without_values(column, n_rows);
  if (forms.are_all_numbers())
    return of_kind(Kind::continuous, column, "numbers" + missing_note(counts.n_missing + forms.n_missing, n_rows));
  const std::string missing = missing_note(counts.n_missing, n_rows);
  if (are_booleans(counts)) return of_kind(Kind::boolean, column, "true and false" + missing);
  std::optional<ColumnSchema> schema = infer_dates(column, counts);
  if (!schema && forms.are_mostly_numbers()) refuse_mixture(column, forms);
  if (!schema) schema = infer_category(column, counts, n_rows - counts.n_missing);
  schema->note += missing;
  return *std::move(schema);
}

ColumnSchema infer_column(const Column& column, std::size_t n_rows) {
  if (column.type == ColumnType::text) return infer_texts(column, n_rows);
  const std::size_t n = n_missing(column, n_rows);
  if (n == n_rows) return without_values(column, n_rows);
  ColumnSchema schema = column.type == ColumnType::time      ? infer_time(column, n_rows, DateOrder::year_first)
                        : column.type == ColumnType::boolean ? of_kind(Kind::boolean, column, "true and false")
                                                             : of_kind(Kind::continuous, column, "numbers");
  schema.note += missing_note(n, n_rows);
  return schema;
}

}  // namespace

Schema infer_schema(const Table& table) {
  Schema schema;
  for (const Column& column : table.columns()) schema.columns.push_back(infer_column(column, table.n_rows()));
  return schema;
}

}  // namespace pidforest
