// SPDX-License-Identifier: Apache-2.0
#include "values/utf8.h"

#include <algorithm>

namespace pidforest::values {

namespace {

unsigned byte(char c) { return static_cast<unsigned char>(c); }

bool continues_character(char c) { return (byte(c) & 0xC0U) == 0x80; }

std::size_t size_by_lead(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// Rejects overlong encodings, UTF-16 surrogates and code points beyond U+10FFFF.
bool is_in_range(unsigned lead, unsigned second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0;
    case 0xED:
      return second < 0xA0;
    case 0xF0:
      return second >= 0x90;
    case 0xF4:
      return second < 0x90;
    default:
      return true;
  }
}

}  // namespace

std::size_t first_character_size(std::string_view text) {
  const std::size_t size = size_by_lead(byte(text[0]));
  if (size < 2) return size;
  if (text.size() < size || !std::ranges::all_of(text.substr(1, size - 1), continues_character)) return 0;
  return is_in_range(byte(text[0]), byte(text[1])) ? size : 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = first_character_size(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::size_t n_characters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

}  // namespace pidforest::values
