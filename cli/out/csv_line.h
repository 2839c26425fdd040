// SPDX-License-Identifier: Apache-2.0
// One line of a CSV file, written field by field and quoted as in RFC 4180.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pidforest::cli {

class CsvLine {
 public:
  /// With `excel_safe`, a text that a spreadsheet would read as a formula is prefixed with an apostrophe; a
  /// number is not.
  CsvLine(char delimiter, bool excel_safe) : delimiter_(delimiter), excel_safe_(excel_safe) {}

  void add_text(std::string_view field);
  /// The shortest text that reads back as the same number; always with a decimal point.
  void add_number(double number);
  void add_count(std::uint64_t count);

  /// Returns the line with its end and starts the next one.
  std::string take();

 private:
  void add_bare(std::string_view field);

  char delimiter_;
  bool excel_safe_;
  bool is_begun_ = false;
  std::string line_;
};

}  // namespace pidforest::cli
