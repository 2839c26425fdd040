// SPDX-License-Identifier: Apache-2.0
#include "out/printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace pidforest::cli {

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// The number of bytes of a UTF-8 character, by its first byte; 0 if no character begins with it.
std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

/// U+202A to U+202E and U+2066 to U+2069 change the direction of the text that follows.
bool turns_direction(std::string_view text) {
  return (text >= "\u202A" && text.substr(0, 3) <= "\u202E") || (text >= "\u2066" && text.substr(0, 3) <= "\u2069");
}

/// The length of the UTF-8 character that `text` begins with, or 0 if it is invalid or a control character.
std::size_t shown_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = length_by_lead(lead);
  if (length == 0 || length > text.size() || lead < 0x20 || lead == 0x7F) return 0;
  if (!std::ranges::all_of(text.substr(1, length - 1), continues_character)) return 0;
  const bool is_c1_control = lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
  return is_c1_control || turns_direction(text) ? 0 : length;
}

/// Keeps the characters of `kept` as they are.
std::string printable_but(std::string_view kept, std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = kept.find(text[0]) != std::string_view::npos ? 1 : shown_length(text);
    if (length > 0)
      shown += text.substr(0, length);
    else
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) { return printable_but("", text); }

std::string printable_lines(std::string_view text) { return printable_but("\n\t", text); }

}  // namespace pidforest::cli
