// SPDX-License-Identifier: Apache-2.0
// Identifiers and times of the listed rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/report.h"
#include "schema/time_column.h"

namespace pidforest::report {

/// The requested column of times, or the first one that both the model and the rows have.
std::optional<ColumnSchema> time_column_of(const Model& model, const Scores& scores, const ReportOptions& options);

/// Whether any time has a clock time other than midnight; times without one are dates.
bool has_clock_times(const Batches& rows, const ColumnSchema& time);

/// A time on the clock of its column, or the date without a clock; empty for a missing time.
std::string time_words(const schema::TimeReader& reader, std::int64_t utc, bool has_clock);

/// The columns that name rows; empty names for none.
struct NamingColumns {
  std::string id = {};
  std::string key = {};
};

/// Everything is indexed by the number of a row, which must be one of the given rows.
class RowNames {
 public:
  /// `numbers` are the rows, increasing. Throws InvalidInput if there is no such column.
  RowNames(const Batches& rows, std::optional<ColumnSchema> time, const NamingColumns& naming,
           std::vector<std::uint64_t> numbers);

  [[nodiscard]] const std::optional<ColumnSchema>& time_column() const { return time_column_; }
  [[nodiscard]] bool has_clock() const { return has_clock_; }
  /// A time in UTC microseconds, written as those of the rows are.
  [[nodiscard]] std::string text_of(std::int64_t utc) const;
  [[nodiscard]] std::optional<std::string> id(std::uint64_t row) const;
  /// The key of its series; empty if no column of keys was given.
  [[nodiscard]] std::string key(std::uint64_t row) const;
  /// UTC microseconds.
  [[nodiscard]] std::optional<std::int64_t> utc(std::uint64_t row) const;
  /// The time on the clock of the column; empty if it is not known.
  [[nodiscard]] std::string time(std::uint64_t row) const;
  /// Seconds since 1970-01-01 UTC.
  [[nodiscard]] std::optional<double> seconds(std::uint64_t row) const;
  /// The first and the last time.
  [[nodiscard]] std::pair<std::string, std::string> time_range(const std::vector<std::uint64_t>& rows) const;

 private:
  [[nodiscard]] std::size_t place_of(std::uint64_t row) const;

  std::optional<ColumnSchema> time_column_;
  std::optional<schema::TimeReader> reader_;
  bool has_clock_ = true;
  std::vector<std::uint64_t> numbers_;
  /// Empty if there is no such column.
  std::vector<std::string> ids_;
  std::vector<std::string> keys_;
  std::vector<std::int64_t> times_;
};

}  // namespace pidforest::report
