// SPDX-License-Identifier: Apache-2.0
// Makes text from files safe to show: data must not control the terminal.
#pragma once

#include <string>
#include <string_view>

namespace pidforest::cli {

/// Replaces control characters, characters that change the writing direction, and bytes that are not UTF-8 by \xNN.
std::string printable(std::string_view text);

/// Does so with text of several lines: line ends and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace pidforest::cli
