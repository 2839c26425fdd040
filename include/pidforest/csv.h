// SPDX-License-Identifier: Apache-2.0
// Reading a CSV file of numbers and texts with a header row.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/run.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

/// One column of a file: numbers if `type` says so, otherwise texts; the other vector is empty.
struct CsvColumn {
  std::string name;
  ColumnType type = ColumnType::number;
  /// A missing value is NaN.
  std::vector<double> numbers = {};
  /// A missing value is `std::string_view()`.
  std::vector<std::string_view> texts = {};
};

/// The columns of a file. Texts are views of the text that was parsed, which must outlive this and its copies.
struct CsvColumns {
  std::vector<CsvColumn> columns = {};
  std::size_t n_rows = 0;
  /// The columns of the file that the schema does not name, and which were not read for that.
  std::vector<std::string> not_in_schema = {};
  /// The texts that do not stand in the file as they are, for quotes are doubled there. Copies share them.
  std::shared_ptr<std::deque<std::string>> unquoted = {};

  /// A view of the values; valid as long as this is.
  [[nodiscard]] Table table() const;
};

/// Which columns of a file to read, and as what.
struct CsvSelection {
  /// Columns to skip, whatever they hold. Each must be in the file.
  std::vector<std::string> ignore = {};
  /// Says which columns hold texts though they look like numbers. Those that it ignores or does not name are skipped.
  const Schema* schema = nullptr;
  /// Columns to read though the schema does not name them.
  std::vector<std::string> besides_schema = {};
};

/// Parses a whole CSV text: RFC 4180, commas, a header row of distinct names, LF or CRLF, UTF-8. Blank lines at the end
/// do not count. A column is of numbers if every field in it is one, with blanks around it or not, or missing: empty,
/// `nan` or `NaN`. Otherwise it is of texts as they stand, without the blanks around a bare field; an empty field is
/// missing, quoted or not.
/// Throws InvalidInput that names the line (from 1, the header's), the column, what was allowed and what came, or
/// Cancelled.
CsvColumns parse_csv(std::string_view text, const CsvSelection& selection = {}, const Run& run = {});

}  // namespace pidforest
