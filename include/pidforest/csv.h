// SPDX-License-Identifier: Apache-2.0
// Reading a CSV file of numbers with a header row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/run.h"
#include "pidforest/table.h"

namespace pidforest {

/// The columns of a file, which own their values; `table()` views them.
struct CsvColumns {
  std::vector<std::string> names;
  /// One vector per column, all of the same length; a missing value is NaN.
  std::vector<std::vector<double>> values;

  [[nodiscard]] std::size_t n_rows() const { return values.empty() ? 0 : values.front().size(); }
  /// A view of the values; valid as long as this is.
  [[nodiscard]] Table table() const;
};

/// Parses a whole CSV text: RFC 4180, commas, a header row of distinct names, LF or CRLF. A field is a number, with
/// spaces around it or not; an empty field, `nan` and `NaN` are missing values. Blank lines at the end do not count.
/// Columns in `ignore` are skipped whatever they hold.
/// Throws InvalidInput that names the line (from 1, the header's), the column, what was allowed and what came, or
/// Cancelled.
CsvColumns parse_csv(std::string_view text, const std::vector<std::string>& ignore = {}, const Run& run = {});

}  // namespace pidforest
