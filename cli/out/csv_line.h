// SPDX-License-Identifier: Apache-2.0
// One line of a CSV file, field by field, quoted as RFC 4180 says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pidforest::cli {

class CsvLine {
 public:
  /// With `excel_safe` a text that a spreadsheet would take for a formula gets an apostrophe before it.
  CsvLine(char delimiter, bool excel_safe) : delimiter_(delimiter), excel_safe_(excel_safe) {}

  void add_text(std::string_view field);
  /// The shortest text that reads back as the same number; the decimal point is a point.
  void add_number(double number);
  void add_count(std::uint64_t count);

  /// The line with its end; the next one begins after it.
  std::string take();

 private:
  void add_bare(std::string_view field);

  char delimiter_;
  bool excel_safe_;
  bool is_begun_ = false;
  std::string line_;
};

}  // namespace pidforest::cli
