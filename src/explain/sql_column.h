// SPDX-License-Identifier: Apache-2.0
// The values of a column as expressions of SQL: what a database must be asked to see them as the library does.
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
/// Its shortest text, such that no database takes it for a decimal of fewer digits than it has.
std::string sql_number(double number);

/// One column in one dialect. Expressions are NULL where the value is missing.
class SqlColumn {
 public:
  explicit SqlColumn(const ColumnSchema& schema);
  virtual ~SqlColumn() = default;

  /// The column by its name.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] virtual std::string number() const = 0;
  /// The same as `number` where it is held against an upper bound, as NaN is not below it.
  [[nodiscard]] virtual std::string bounded_number() const = 0;
  /// How many times a number has gone around a circle, as a whole number.
  [[nodiscard]] virtual std::string turns(const std::string& number, const std::string& period) const = 0;
  [[nodiscard]] std::string text() const;
  /// In lower case without blanks around it.
  [[nodiscard]] std::string word() const;
  /// The value, whatever it is.
  [[nodiscard]] std::string value() const;

  // Of times. Each has its own literals: days of the week and months from 0, days of the year in a leap year.
  [[nodiscard]] virtual std::string clock() const = 0;
  /// As the first of a stretch of times, or as the last.
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
  /// How far the zone's clock is ahead of UTC, if that never changes.
  [[nodiscard]] std::optional<int> fixed_offset_minutes() const;

 private:
  const ColumnSchema& schema_;
  std::string name_;
};

/// Views the schema. Throws InvalidOption for times that the dialect cannot read.
std::unique_ptr<const SqlColumn> make_sql_column(const ColumnSchema& schema, SqlDialect dialect);

}  // namespace pidforest::explain
