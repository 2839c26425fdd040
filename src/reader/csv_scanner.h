// SPDX-License-Identifier: Apache-2.0
// Splits CSV text into fields and rows, without interpreting them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "reader/row_batch.h"

namespace pidforest::reader {

/// How a field ends: at a delimiter, at the end of its row, at the end of the buffered text, or with an error.
enum class FieldEnd : std::uint8_t { delimiter, row, incomplete, stray_quote, after_quote, open_quote };

/// Bytes that are invalid in a field but do not hide its end.
enum class BadByte : std::uint8_t { none, nul, lone_cr };

/// A field as it stands in the text, without its outer quotes; quotes inside a quoted field are still doubled.
struct CsvField {
  std::string_view text;
  FieldEnd end = FieldEnd::incomplete;
  BadByte bad_byte = BadByte::none;
  bool is_quoted = false;
  bool has_doubled_quotes = false;
};

class CsvScanner {
 public:
  CsvScanner(const TextPiece& piece, char delimiter)
      : at_(piece.begin), limit_(piece.limit), is_final_(piece.is_final), delimiter_(delimiter) {
    for (const char c : {delimiter, '\n', '\r', '"', '\0'}) stops_[static_cast<unsigned char>(c)] = true;
  }

  [[nodiscard]] const char* at() const { return at_; }
  [[nodiscard]] std::size_t n_lines() const { return n_lines_; }
  /// Continues at another position, which is after `n_lines` line ends.
  void move_to(const char* at, std::size_t n_lines) {
    at_ = at;
    n_lines_ = n_lines;
  }

  /// If the field is invalid, the scanner stays at the error.
  CsvField next() {
    CsvField field;
    if (*at_ == '"')
      scan_quoted(field);
    else
      scan_bare(field);
    return field;
  }

  /// Skips to the next line, ignoring quotes. Returns false if the line end is not buffered.
  bool pass_line() {
    const auto* end = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(limit_ - at_)));
    if (end == nullptr) return false;
    move_to(end + 1, n_lines_ + 1);
    return true;
  }

 private:
  void scan_bare(CsvField& field) {
    const char* const first = at_;
    for (;; ++at_) {
      while (!stops_[static_cast<unsigned char>(*at_)]) ++at_;
      if (*at_ == '\0' && at_ != limit_)
        field.bad_byte = BadByte::nul;
      else if (*at_ == '\r' && at_ + 1 != limit_ && at_[1] != '\n')
        field.bad_byte = BadByte::lone_cr;
      else
        break;
    }
    field.text = {first, at_};
    field.end = *at_ == '"' ? FieldEnd::stray_quote : pass_separator();
  }

  void scan_quoted(CsvField& field) {
    const char* const first = at_ + 1;
    const char* quote = first;
    for (;; quote += 2) {
      quote = static_cast<const char*>(std::memchr(quote, '"', static_cast<std::size_t>(limit_ - quote)));
      if (quote == nullptr) {
        field.end = is_final_ ? FieldEnd::open_quote : FieldEnd::incomplete;
        return;
      }
      if (quote[1] != '"') break;
      field.has_doubled_quotes = true;
    }
    field.text = {first, quote};
    field.is_quoted = true;
    if (field.text.find('\0') != std::string_view::npos) field.bad_byte = BadByte::nul;
    n_lines_ += static_cast<std::size_t>(std::ranges::count(field.text, '\n'));
    at_ = quote + 1;
    field.end = pass_separator();
  }

  FieldEnd pass_separator() {
    const char* const end_of_line = at_ + (*at_ == '\r' ? 1 : 0);
    if (end_of_line == limit_) return FieldEnd::incomplete;
    if (*at_ != delimiter_ && *end_of_line != '\n') return FieldEnd::after_quote;
    if (*at_ == delimiter_) {
      ++at_;
      return FieldEnd::delimiter;
    }
    move_to(end_of_line + 1, n_lines_ + 1);
    return FieldEnd::row;
  }

  const char* at_;
  const char* limit_;
  std::size_t n_lines_ = 0;
  bool is_final_;
  char delimiter_;
  std::array<bool, 256> stops_{};
};

}  // namespace pidforest::reader
