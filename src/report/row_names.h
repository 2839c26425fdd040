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

/// Everything is indexed by the number of a row, which must be one of the given rows.
class RowNames {
 public:
  /// `id` is the column of row identifiers, or empty; `numbers` are the rows, increasing. Throws InvalidInput if there
  /// is no such column.
  RowNames(const Batches& rows, std::optional<ColumnSchema> time, const std::string& id,
           std::vector<std::uint64_t> numbers);

  [[nodiscard]] const std::optional<ColumnSchema>& time_column() const { return time_column_; }
  [[nodiscard]] std::optional<std::string> id(std::uint64_t row) const;
  /// The time on the clock of the column; empty if it is not known.
  [[nodiscard]] std::string time(std::uint64_t row) const;
  /// Seconds since 1970-01-01 UTC.
  [[nodiscard]] std::optional<double> seconds(std::uint64_t row) const;
  /// The first and the last time.
  [[nodiscard]] std::pair<std::string, std::string> time_range(const std::vector<std::uint64_t>& rows) const;

 private:
  [[nodiscard]] std::size_t place_of(std::uint64_t row) const;
  [[nodiscard]] std::string text_of(std::int64_t utc) const;

  std::optional<ColumnSchema> time_column_;
  std::optional<schema::TimeReader> reader_;
  std::vector<std::uint64_t> numbers_;
  /// Empty if there is no such column.
  std::vector<std::string> ids_;
  std::vector<std::int64_t> times_;
};

}  // namespace pidforest::report
