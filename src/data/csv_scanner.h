// SPDX-License-Identifier: Apache-2.0
// Cuts a CSV text into fields and rows; knows nothing of what they mean.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "data/excerpt.h"
#include "pidforest/error.h"

namespace pidforest::data {

/// A field as it stands in the file, without its outer quotes; quotes inside a quoted one are still doubled.
struct CsvField {
  std::string_view text;
  bool is_quoted;
  bool ends_row;
};

/// Views the text, which must stay where it is. A copy goes on from the same place.
class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text) : text_(text), at_end_(text.empty()) {}

  /// No field is left.
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] std::size_t position() const { return at_; }
  /// In bytes, of the whole text.
  [[nodiscard]] std::size_t size() const { return text_.size(); }

  [[nodiscard]] std::size_t position_of(const CsvField& field) const {
    return static_cast<std::size_t>(field.text.data() - text_.data());
  }
  /// Throws InvalidInput that begins with the line, from 1, of a place in the text.
  [[noreturn]] void refuse(std::size_t place, std::string_view message) const {
    const auto n_lines_before = std::ranges::count(text_.substr(0, place), '\n');
    throw InvalidInput(fmt::format("line {}{}", n_lines_before + 1, message));
  }

  CsvField next() {
    const bool is_quoted = at_ < text_.size() && text_[at_] == '"';
    const std::string_view text = is_quoted ? quoted() : bare();
    return {text, is_quoted, pass_separator()};
  }

 private:
  std::string_view bare() {
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') ++at_;
    return text_.substr(first, at_ - first);
  }

  std::string_view quoted() {
    const std::size_t first = at_ + 1;
    for (at_ = first;; at_ += 2) {
      at_ = text_.find('"', at_);
      if (at_ == std::string_view::npos)
        refuse(first,
               ": a field that begins with a quote must end with one; the file ends first. "
               "Close the quote, and double quotes inside the field.");
      if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
    }
    return text_.substr(first, at_++ - first);
  }

  /// Steps over a comma or a line end; true if the row ends here.
  bool pass_separator() {
    at_end_ = at_ == text_.size();
    if (at_end_) return true;
    const char c = text_[at_];
    if (c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n')
      ++at_;
    else if (c == '\r')
      refuse(at_, ": lines must end with LF or CRLF; got a lone CR. Convert the line ends.");
    else if (c != ',' && c != '\n')
      refuse(at_, fmt::format(": a closing quote must be followed by a comma or a line end; got '{}'. "
                              "Double quotes inside a quoted field.",
                              excerpt(text_.substr(at_, 1))));
    ++at_;
    return c != ',';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool at_end_;
};

}  // namespace pidforest::data
