// SPDX-License-Identifier: Apache-2.0
#include "out/csv_line.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "values/read_text.h"

namespace pidforest::cli {

namespace {

/// Whether a spreadsheet takes a text for a formula. A number with a sign is none, and an apostrophe would make it a
/// text.
bool looks_like_formula(std::string_view field) {
  if (field.empty() || std::string_view("=+-@\t\r").find(field[0]) == std::string_view::npos) return false;
  const bool has_sign = field[0] == '+' || field[0] == '-';
  const values::NumberReading number = values::read_number(field);
  const bool is_number = std::isfinite(number.value) || number.form == values::NumberReading::Form::rounded;
  return !has_sign || !is_number;
}

}  // namespace

void CsvLine::add_text(std::string_view field) {
  std::string text(field);
  if (excel_safe_ && looks_like_formula(field)) text.insert(0, 1, '\'');
  const bool has_blank_end = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!has_blank_end && text.find_first_of(std::string("\"\r\n") + delimiter_) == std::string::npos)
    return add_bare(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  add_bare(quoted + '"');
}

void CsvLine::add_number(double number) { add_bare(fmt::format("{}", number)); }

void CsvLine::add_count(std::uint64_t count) { add_bare(fmt::format("{}", count)); }

std::string CsvLine::take() {
  is_begun_ = false;
  return std::exchange(line_, {}) + '\n';
}

void CsvLine::add_bare(std::string_view field) {
  if (std::exchange(is_begun_, true)) line_ += delimiter_;
  line_ += field;
}

}  // namespace pidforest::cli
