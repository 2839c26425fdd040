// SPDX-License-Identifier: Apache-2.0
#include "explain/sql_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pidforest/error.h"
#include "values/excerpt.h"
#include "values/number_text.h"
#include "values/time.h"
#include "values/time_text.h"

namespace pidforest::explain {

namespace {

std::string quoted_by(char quote, std::string_view text) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

/// The expression that turns a number of the column into seconds.
std::string_view seconds_per_unit(EpochUnit unit) {
  switch (unit) {
    case EpochUnit::milliseconds:
      return " / 1000.0";
    case EpochUnit::microseconds:
      return " / 1000000.0";
    default:
      return "";
  }
}

/// PostgreSQL and DuckDB. Columns may be numbers, texts, booleans, dates, timestamps with a zone and without.
class StandardColumn : public SqlColumn {
 public:
  using SqlColumn::SqlColumn;

  /// In these databases NaN is greater than any number.
  [[nodiscard]] std::string number() const override {
    return fmt::format("NULLIF(CAST({} AS DOUBLE PRECISION), 'NaN')", name());
  }
  [[nodiscard]] std::string bounded_number() const override { return name(); }
  [[nodiscard]] std::string turns(const std::string& number, const std::string& period) const override {
    return fmt::format("FLOOR({} / {})", number, period);
  }

  [[nodiscard]] std::string clock() const override { return fmt::format("CAST({} AS TIME)", local()); }
  [[nodiscard]] std::string clock_literal(std::int64_t since_midnight, bool /*is_last*/) const override {
    return fmt::format("TIME '{}'", values::clock_text(since_midnight, values::Fractions::exact));
  }
  [[nodiscard]] std::string weekday() const override { return fmt::format("EXTRACT(ISODOW FROM {})", local()); }
  [[nodiscard]] std::string weekday_literal(std::size_t weekday) const override { return fmt::to_string(weekday + 1); }
  [[nodiscard]] std::string month() const override { return fmt::format("EXTRACT(MONTH FROM {})", local()); }
  [[nodiscard]] std::string month_literal(std::size_t month) const override { return fmt::to_string(month + 1); }
  [[nodiscard]] std::string day_of_year() const override {
    return fmt::format("100 * EXTRACT(MONTH FROM {0}) + EXTRACT(DAY FROM {0})", local());
  }
  [[nodiscard]] std::string day_literal(int day) const override {
    std::string digits = values::day_text(day);
    std::erase(digits, '-');
    return digits.substr(digits.find_first_not_of('0'));
  }
  [[nodiscard]] std::string instant() const override {
    if (schema().epoch_unit != EpochUnit::none)
      return fmt::format("to_timestamp({}{})", number(), seconds_per_unit(schema().epoch_unit));
    return fmt::format(
        "CASE WHEN CAST({0} AS TEXT) LIKE '%:%+%' OR CAST({0} AS TEXT) LIKE '%:%-%' OR CAST({0} AS TEXT) LIKE '%:%Z' "
        "THEN CAST({0} AS TIMESTAMPTZ) ELSE CAST({0} AS TIMESTAMP){1} END",
        name(), at_zone('-'));
  }
  [[nodiscard]] std::string instant_literal(std::int64_t utc) const override {
    return fmt::format("TIMESTAMPTZ '{}+00'", values::date_time_text(utc, ' ', values::Fractions::exact));
  }

 private:
  [[nodiscard]] std::string local() const { return fmt::format("(({}){})", instant(), at_zone('+')); }
  /// Converts an instant to the clock of the zone with '+', and back with '-'. As the name of a zone, an offset has the
  /// opposite sign.
  [[nodiscard]] std::string at_zone(char sign) const {
    const auto minutes = fixed_offset_minutes();
    if (!minutes) return fmt::format(" AT TIME ZONE {}", sql_text(schema().zone));
    if (*minutes == 0) return " AT TIME ZONE 'UTC'";
    const int shift = sign == '+' ? *minutes : -*minutes;
    return fmt::format(" AT TIME ZONE 'UTC' + INTERVAL '{} minutes'", shift);
  }
};

/// SQLite, where any column may be text. Its times have milliseconds.
class SqliteColumn : public SqlColumn {
 public:
  using SqlColumn::SqlColumn;

  [[nodiscard]] std::string number() const override {
    return fmt::format("CASE WHEN TRIM({0}) IN ('', 'nan', 'NaN') THEN NULL ELSE CAST({0} AS REAL) END", name());
  }
  [[nodiscard]] std::string bounded_number() const override { return number(); }
  /// Not every build has FLOOR.
  [[nodiscard]] std::string turns(const std::string& number, const std::string& period) const override {
    return fmt::format("(CAST({0} / {1} AS INTEGER) - ({0} < 0))", number, period);
  }

  [[nodiscard]] std::string clock() const override { return local("%H:%M:%f"); }
  /// Times are compared as texts: a lower bound may be a prefix, an upper bound needs all digits.
  [[nodiscard]] std::string clock_literal(std::int64_t since_midnight, bool is_last) const override {
    return sql_text(values::clock_text(since_midnight, is_last ? values::Fractions::always : values::Fractions::exact));
  }
  [[nodiscard]] std::string weekday() const override { return local("%w"); }
  /// The weekday, where 0 is Sunday.
  [[nodiscard]] std::string weekday_literal(std::size_t weekday) const override {
    return fmt::format("'{}'", (weekday + 1) % 7);
  }
  [[nodiscard]] std::string month() const override { return local("%m"); }
  [[nodiscard]] std::string month_literal(std::size_t month) const override {
    return fmt::format("'{:02}'", month + 1);
  }
  [[nodiscard]] std::string day_of_year() const override { return local("%m-%d"); }
  [[nodiscard]] std::string day_literal(int day) const override { return sql_text(values::day_text(day)); }
  [[nodiscard]] std::string instant() const override {
    constexpr std::string_view format = "%Y-%m-%d %H:%M:%f";
    if (schema().epoch_unit != EpochUnit::none) return formatted(format, "");
    if (!fixed_offset_minutes()) refuse_zone();
    return formatted(format, shift(-*fixed_offset_minutes(), false));
  }
  [[nodiscard]] std::string instant_literal(std::int64_t utc) const override {
    return sql_text(values::date_time_text(utc, ' ', values::Fractions::exact));
  }

 private:
  [[noreturn]] void refuse_zone() const {
    throw InvalidOption(
        fmt::format("SQLite supports only UTC and offsets as time zones; column '{}' is in '{}'. Use another database.",
                    values::excerpt(schema().name), values::excerpt(schema().zone)));
  }
  [[nodiscard]] std::string has_offset() const { return fmt::format("{} GLOB '*:*[-+Zz]*'", name()); }
  /// Moves the clock of texts with an offset, or of texts without one.
  [[nodiscard]] std::string shift(int minutes, bool of_texts_with_offset) const {
    if (minutes == 0) return "";
    return fmt::format(", CASE WHEN {}{} THEN '{:+} minutes' ELSE '+0 minutes' END", of_texts_with_offset ? "" : "NOT ",
                       has_offset(), minutes);
  }
  /// A component of the time; strftime converts texts with an offset to UTC.
  [[nodiscard]] std::string formatted(std::string_view format, std::string_view modifier) const {
    if (schema().epoch_unit == EpochUnit::none) return fmt::format("strftime('{}', {}{})", format, name(), modifier);
    return fmt::format("strftime('{}', {}{}, 'unixepoch'{})", format, number(), seconds_per_unit(schema().epoch_unit),
                       modifier);
  }
  [[nodiscard]] std::string local(std::string_view format) const {
    const auto minutes = fixed_offset_minutes();
    const bool are_numbers = schema().epoch_unit != EpochUnit::none;
    if (minutes && are_numbers)
      return formatted(format, *minutes == 0 ? "" : fmt::format(", '{:+} minutes'", *minutes));
    if (minutes) return formatted(format, shift(*minutes, true));
    if (are_numbers) refuse_zone();
    // Texts without an offset are local. A text with an offset stops the query: abs of the least integer overflows.
    return fmt::format("strftime('{}', CASE WHEN {} THEN abs(-9223372036854775808) ELSE {} END)", format, has_offset(),
                       name());
  }
};

}  // namespace

std::string sql_text(std::string_view text) { return quoted_by('\'', text); }

std::string sql_number(double number) {
  constexpr std::ptrdiff_t most_digits = 15;
  std::string text = values::shortest_text(number);
  const auto n_digits = std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
  if (n_digits > most_digits && text.find('e') == std::string::npos) text += "e0";
  return text;
}

SqlColumn::SqlColumn(const ColumnSchema& schema) : schema_(schema), name_(quoted_by('"', schema.name)) {}

std::string SqlColumn::text() const {
  const bool has_empty = std::ranges::find(schema_.levels, "") != schema_.levels.end();
  return has_empty ? name_ : fmt::format("NULLIF({}, '')", name_);
}

std::string SqlColumn::word() const { return fmt::format("NULLIF(LOWER(TRIM(CAST({} AS TEXT))), '')", name_); }

std::string SqlColumn::value() const {
  const bool are_numbers = schema_.kind == Kind::continuous || schema_.range || schema_.period > 0 ||
                           schema_.numeric_levels || schema_.epoch_unit != EpochUnit::none;
  if (are_numbers) return number();
  return schema_.kind == Kind::boolean || schema_.kind == Kind::time ? word() : text();
}

std::optional<int> SqlColumn::fixed_offset_minutes() const {
  const std::string zone = schema_.zone.empty() ? "UTC" : schema_.zone;
  const bool is_fixed = zone == "UTC" || zone.starts_with('+') || zone.starts_with('-');
  if (!is_fixed) return {};
  return static_cast<int>(values::Zone(zone).to_local(0) / values::microseconds_per_minute);
}

std::unique_ptr<const SqlColumn> make_sql_column(const ColumnSchema& schema, SqlDialect dialect) {
  if (!schema.written.empty() || schema.date_order > DateOrder::month_first)
    throw InvalidOption(
        fmt::format("SQL reads only plain numbers and full dates; the texts of column '{}' are {}. Leave out the SQL.",
                    values::excerpt(schema.name),
                    schema.written.empty() ? "neither" : fmt::format("written like {}", schema.written)));
  if (dialect == SqlDialect::standard) return std::make_unique<StandardColumn>(schema);
  if (schema.date_order != DateOrder::year_first)
    throw InvalidOption(fmt::format("SQLite reads only dates that begin with the year; dates of column '{}' do not.",
                                    values::excerpt(schema.name)));
  return std::make_unique<SqliteColumn>(schema);
}

}  // namespace pidforest::explain
