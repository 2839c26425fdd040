// SPDX-License-Identifier: Apache-2.0
// UTF-8: validation and character boundaries.
#pragma once

#include <cstddef>
#include <string_view>

namespace pidforest::values {

/// Returns the size in bytes of the first character of a non-empty text; 0 if the text does not begin with a valid one.
std::size_t first_character_size(std::string_view text);

bool is_utf8(std::string_view text);

/// The text must be valid UTF-8.
std::size_t n_characters(std::string_view text);

}  // namespace pidforest::values
