// SPDX-License-Identifier: Apache-2.0
// The rows of a CSV file after its header.
#pragma once

#include <string>
#include <utility>

#include "reader/csv_scanner.h"
#include "reader/field.h"
#include "reader/row_format.h"

namespace pidforest::reader {

class CsvRows : public RowFormat {
 public:
  CsvRows(char delimiter, FieldReader fields, bool skip_bad_rows)
      : delimiter_(delimiter), fields_(std::move(fields)), skip_bad_rows_(skip_bad_rows) {}

  /// Cuts at line ends with an even number of quotes before them. This is exact, because bare fields contain no quotes.
  [[nodiscard]] std::vector<std::size_t> cuts(std::string_view text, std::size_t distance) const override;
  void read(const TextPiece& piece, std::span<const TextColumn> columns, RowBatch& batch) const override;

 private:
  char delimiter_;
  FieldReader fields_;
  bool skip_bad_rows_;
};

/// "a comma", "a tab", "a semicolon" or "a '|'".
std::string with_article(char delimiter);

/// Replaces each doubled quote by a single one.
std::string with_single_quotes(std::string_view text);

/// The message for a field that ends wrongly or contains a bad byte; `rest` is the text from the scanner's position on.
std::string complaint_of_end(FieldEnd end, char delimiter, std::string_view rest);
std::string_view complaint_of_byte(BadByte bad_byte);

}  // namespace pidforest::reader
