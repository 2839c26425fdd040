// SPDX-License-Identifier: Apache-2.0
#include "reader/json_items.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "values/excerpt.h"
#include "values/read_text.h"

namespace pidforest::reader {

namespace {

using Kind = JsonItems::Kind;

/// The place of the first character from `place` on that is not a blank.
std::size_t after_blanks(std::string_view text, std::size_t place) {
  while (place < text.size() && values::is_blank(text[place])) ++place;
  return place;
}

/// What a text begins with. In CSV a quote cannot follow a bracket, so an object whose first key has begun is JSON.
Kind kind_of(std::string_view text, TextFormat::Form form) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  std::size_t place = after_blanks(text, text.starts_with(mark) ? mark.size() : 0);
  if (place == text.size()) return Kind::unknown;
  const bool is_array = text[place] == '[';
  if (form == TextFormat::Form::json_lines) return is_array ? Kind::array : Kind::lines;
  if (is_array) place = after_blanks(text, place + 1);
  if (place == text.size()) return Kind::unknown;
  if (text[place] != '{') return Kind::csv;
  place = after_blanks(text, place + 1);
  if (place == text.size()) return Kind::unknown;
  if (text[place] != '"') return Kind::csv;
  return is_array ? Kind::array : Kind::lines;
}

}  // namespace

void JsonItems::begin() {
  constexpr std::size_t most = std::size_t{1} << 16;
  std::array<char, 4096> room{};
  while (kind_ == Kind::unknown && first_.size() < most) {
    const std::size_t n = source_(room);
    first_.append(room.data(), n);
    kind_ = kind_of(first_, form_);
    if (n == 0) break;
  }
  if (kind_ == Kind::unknown) kind_ = form_ == TextFormat::Form::any ? Kind::csv : Kind::lines;
}

std::size_t JsonItems::read(std::span<char> room) {
  if (!mistake_.empty()) return 0;
  if (kind_ == Kind::unknown) begin();
  std::size_t n = std::min(first_.size(), room.size());
  if (n > 0) {
    std::copy_n(first_.begin(), n, room.begin());
    first_.erase(0, n);
  } else {
    n = source_(room);
  }
  if (kind_ != Kind::array) return n;
  if (n == 0 && !room.empty() && !is_over_)
    mistake_ =
        fmt::format("line {}: a JSON array must end with ']'; got the end of the file. Is it cut off?", n_lines_ + 1);
  return turn(room.first(n));
}

/// Returns the number of bytes before a text that follows the array.
std::size_t JsonItems::turn(std::span<char> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    char& c = bytes[i];
    if (is_over_ && !values::is_blank(c)) {
      mistake_ = fmt::format("line {}: nothing must follow the end of a JSON array; got '{}'.", n_lines_ + 1,
                             values::excerpt(std::string_view(&c, 1)));
      return i;
    }
    if (c == '\n') ++n_lines_;
    c = is_in_text_ ? turn_in_text(c) : turn_outside(c);
  }
  return bytes.size();
}

char JsonItems::turn_in_text(char c) {
  if (is_escaped_)
    is_escaped_ = false;
  else if (c == '\\')
    is_escaped_ = true;
  else if (c == '"')
    is_in_text_ = false;
  return c == '\n' ? line_end : c;
}

/// The brackets of the array become blanks, and the commas between its items become line ends.
char JsonItems::turn_outside(char c) {
  switch (c) {
    case '"':
      is_in_text_ = true;
      return c;
    case '[':
    case '{':
      return depth_++ == 0 ? ' ' : c;
    case ']':
      if (depth_ == 1) is_over_ = true;
      [[fallthrough]];
    case '}':
      if (depth_ > 1) --depth_;
      return is_over_ ? '\n' : c;
    case ',':
      return depth_ == 1 ? '\n' : c;
    case '\n':
      return line_end;
    case '\r':
      return ' ';
    default:
      return c;
  }
}

}  // namespace pidforest::reader
