// SPDX-License-Identifier: Apache-2.0
// The width of text on a terminal, independent of the locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// The columns that a UTF-8 text takes: two for East Asian characters and emoji, none for marks that join the character
/// before them.
std::size_t text_width(std::string_view text);

/// The text cut to `width` columns, with three dots at its end if it was cut.
std::string fitted(std::string_view text, std::size_t width);

}  // namespace pidforest::cli
