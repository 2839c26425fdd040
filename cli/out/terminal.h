// SPDX-License-Identifier: Apache-2.0
// The width and colours of standard output.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace pidforest::cli {

/// The width of lines that are not cut.
inline constexpr std::size_t whole_lines = std::numeric_limits<std::size_t>::max();

/// The width of lines in columns: what COLUMNS says, or the width of the terminal. Lines in pipes and files are whole.
std::size_t line_width();

/// "always", "never", or "auto": on a terminal, unless NO_COLOR is set. Throws InvalidOption for other words.
bool wants_colour(const std::string& when);

}  // namespace pidforest::cli
