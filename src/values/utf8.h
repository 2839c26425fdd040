// SPDX-License-Identifier: Apache-2.0
// Where characters begin and end in UTF-8, and what is none.
#pragma once

#include <cstddef>
#include <string_view>

namespace pidforest::values {

/// The bytes of the character that a text which is not empty begins with; 0 if it begins with none.
std::size_t first_character_size(std::string_view text);

bool is_utf8(std::string_view text);

/// The number of characters of a text in UTF-8.
std::size_t n_characters(std::string_view text);

}  // namespace pidforest::values
