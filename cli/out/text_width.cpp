// SPDX-License-Identifier: Apache-2.0
#include "out/text_width.h"

#include <algorithm>
#include <array>

namespace pidforest::cli {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Combining marks, joiners, direction marks and variation selectors, sorted.
constexpr std::array<Range, 26> no_width{
    {{0x0300, 0x036F}, {0x0483, 0x0489},  {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F}, {0x06D6, 0x06DC},
     {0x0900, 0x0902}, {0x093C, 0x093C},  {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},
     {0x0E47, 0x0E4E}, {0x1160, 0x11FF},  {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E},
     {0x2060, 0x2064}, {0x20D0, 0x20FF},  {0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
     {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}}};

/// Characters of East Asian Width W or F, and emoji, sorted.
constexpr std::array<Range, 19> two_columns{{{0x1100, 0x115F},
                                             {0x231A, 0x231B},
                                             {0x23E9, 0x23EC},
                                             {0x2614, 0x2615},
                                             {0x26A1, 0x26A1},
                                             {0x2705, 0x2705},
                                             {0x274C, 0x274C},
                                             {0x2B50, 0x2B50},
                                             {0x2E80, 0x303E},
                                             {0x3041, 0xA4CF},
                                             {0xA960, 0xA97F},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFE6F},
                                             {0xFF01, 0xFF60},
                                             {0xFFE0, 0xFFE6},
                                             {0x1F300, 0x1F64F},
                                             {0x1F680, 0x1FAFF},
                                             {0x20000, 0x3FFFD}}};

bool is_in(const auto& ranges, char32_t character) {
  const auto after = std::ranges::upper_bound(ranges, character, {}, &Range::first);
  return after != ranges.begin() && character <= (after - 1)->last;
}

std::size_t width_of(char32_t character) {
  if (is_in(no_width, character)) return 0;
  return is_in(two_columns, character) ? 2 : 1;
}

/// Removes one character from the front; an invalid byte counts as a character.
char32_t take_character(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  std::size_t length = 1;
  if (lead >= 0xC0) length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  length = std::min(length, text.size());
  char32_t character = length == 1 ? lead : lead & (0x7FU >> length);
  for (const char c : text.substr(1, length - 1))
    character = (character << 6) | (static_cast<unsigned char>(c) & 0x3FU);
  text.remove_prefix(length);
  return character;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += width_of(take_character(text));
  return width;
}

std::string fitted(std::string_view text, std::size_t width) {
  if (text_width(text) <= width) return std::string(text);
  constexpr std::string_view dots = "...";
  const std::size_t room = width - std::min(width, dots.size());
  std::string_view rest = text;
  std::size_t end = 0;
  for (std::size_t used = 0; !rest.empty(); end = text.size() - rest.size()) {
    used += width_of(take_character(rest));
    if (used > room) break;
  }
  return std::string(text.substr(0, end)).append(dots.substr(0, std::min(width, dots.size())));
}

}  // namespace pidforest::cli
