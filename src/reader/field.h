// SPDX-License-Identifier: Apache-2.0
// Interprets the fields of a text table by its format, including the words that mean "missing".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reader/row_batch.h"
#include "values/read_text.h"

namespace pidforest::reader {

class FieldReader {
 public:
  FieldReader(char decimal, std::vector<std::string> missing);

  [[nodiscard]] char decimal() const { return decimal_; }
  /// True if a text that looks like a number may mean "missing".
  [[nodiscard]] bool has_missing_numbers() const { return has_missing_numbers_; }

  /// True for an empty text and for the words that mean "missing".
  [[nodiscard]] bool is_missing(std::string_view text) const;
  [[nodiscard]] values::NumberReading number(std::string_view text) const;
  /// True for a text that is no number, but would be one with the other decimal separator: 1,5 where the point is
  /// expected.
  [[nodiscard]] bool has_other_decimal(std::string_view text) const;

  /// True for a text such as 1,234 where the point is expected: the comma may separate thousands.
  [[nodiscard]] bool may_have_thousands(std::string_view text) const;

  /// The message for a field that is not a number, in a column that must contain numbers.
  [[nodiscard]] std::string complaint_of_number(const TextColumn& column, std::string_view text,
                                                const values::NumberReading& reading) const;
  /// The message for a column whose only texts are numbers with the other decimal separator.
  [[nodiscard]] std::string complaint_of_decimals(const TextColumn& column) const;

 private:
  char decimal_;
  std::vector<std::string> missing_;
  bool has_missing_numbers_ = false;
};

/// The message for a field that is not UTF-8.
std::string complaint_of_utf8(const TextColumn& column, std::string_view text);

}  // namespace pidforest::reader
