// SPDX-License-Identifier: Apache-2.0
// The values of a column as SQL expressions, so that a database sees the values that the library sees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pidforest/explain.h"
#include "pidforest/schema.h"

namespace pidforest::explain {

/// 'it''s'
std::string sql_text(std::string_view text);
/// The shortest text of a number that every database reads back with all its digits.
std::string sql_number(double number);

/// One column in one dialect. Expressions are NULL where the value is missing.
class SqlColumn {
 public:
  explicit SqlColumn(const ColumnSchema& schema);
  virtual ~SqlColumn() = default;

  /// The column by its name.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual std::string number() const = 0;
  /// Like `number`, for a comparison with an upper bound: NaN is not below it.
  [[nodiscard]] virtual std::string bounded_number() const = 0;
  /// How many times a number has gone around a circle, as a whole number.
  [[nodiscard]] virtual std::string turns(const std::string& number, const std::string& period) const = 0;
  [[nodiscard]] std::string text() const;
  /// The text in lower case, without surrounding blanks.
  [[nodiscard]] std::string word() const;
  /// The value of any type.
  [[nodiscard]] std::string value() const;

  // Times. Each expression has its own literals: weekdays and months count from 0, days of the year are those of a leap
  // year.
  [[nodiscard]] virtual std::string clock() const = 0;
  /// A literal for the first or the last moment of a range of times.
  [[nodiscard]] virtual std::string clock_literal(std::int64_t since_midnight, bool is_last) const = 0;
  [[nodiscard]] virtual std::string weekday() const = 0;
  [[nodiscard]] virtual std::string weekday_literal(std::size_t weekday) const = 0;
  [[nodiscard]] virtual std::string month() const = 0;
  [[nodiscard]] virtual std::string month_literal(std::size_t month) const = 0;
  [[nodiscard]] virtual std::string day_of_year() const = 0;
  [[nodiscard]] virtual std::string day_literal(int day) const = 0;
  [[nodiscard]] virtual std::string instant() const = 0;
  [[nodiscard]] virtual std::string instant_literal(std::int64_t utc) const = 0;

 protected:
  [[nodiscard]] const ColumnSchema& schema() const { return schema_; }
  /// How far the clock of the zone is ahead of UTC, if the offset never changes.
  [[nodiscard]] std::optional<int> fixed_offset_minutes() const;

 private:
  const ColumnSchema& schema_;
  std::string name_;
};

/// The result views the schema. Throws InvalidOption for times that the dialect cannot read.
std::unique_ptr<const SqlColumn> make_sql_column(const ColumnSchema& schema, SqlDialect dialect);

}  // namespace pidforest::explain
