// SPDX-License-Identifier: Apache-2.0
// How wide text is on a terminal, whatever the locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// The columns that a UTF-8 text takes: two for East Asian characters and emoji, none for marks that join the character
/// before them.
std::size_t text_width(std::string_view text);

/// As much of the text as fits into `width` columns, with three dots at its end where something is left out.
std::string fitted(std::string_view text, std::size_t width);

}  // namespace pidforest::cli
