// SPDX-License-Identifier: Apache-2.0
// What the fields of a table of text say, in the format that it is written in, and the words for those that say
// nothing.
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
  /// Whether something that is written as a number may mean that there is none.
  [[nodiscard]] bool has_missing_numbers() const { return has_missing_numbers_; }

  /// Empty, or one of the words for it.
  [[nodiscard]] bool is_missing(std::string_view text) const;
  [[nodiscard]] values::NumberReading number(std::string_view text) const;

 private:
  char decimal_;
  std::vector<std::string> missing_;
  bool has_missing_numbers_ = false;
};

/// 1,5: a number if only the comma were a point.
bool has_decimal_comma(std::string_view text);

/// What to say of a field that is no number in a column that must be of numbers.
std::string complaint_of_number(const TextColumn& column, std::string_view text, const values::NumberReading& reading);

/// What to say of a field that is not UTF-8.
std::string complaint_of_utf8(const TextColumn& column, std::string_view text);

}  // namespace pidforest::reader
