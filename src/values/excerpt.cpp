// SPDX-License-Identifier: Apache-2.0
#include "values/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

#include "values/utf8.h"

namespace pidforest::values {

namespace {

/// True for U+0000 to U+001F and U+007F to U+009F.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  return first < 0x20 || first == 0x7F || (first == 0xC2 && static_cast<unsigned char>(character.back()) < 0xA0);
}

std::string escaped(std::string_view bytes) {
  std::string shown;
  for (const char c : bytes) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return shown;
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t longest) {
  std::string shown;
  for (std::size_t n_shown = 0; !text.empty(); ++n_shown) {
    if (n_shown == longest) return shown + "...";
    const std::size_t size = first_character_size(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(size, 1));
    if (size == 0 || is_control(character))
      shown += escaped(character);
    else
      shown += character;
    text.remove_prefix(character.size());
  }
  return shown;
}

}  // namespace pidforest::values
