// SPDX-License-Identifier: Apache-2.0
// The width and colours of standard output.
#pragma once

#include <cstddef>
#include <string>

namespace pidforest::cli {

/// The width of the terminal in columns, or 100 if the output is not a terminal.
std::size_t line_width();

/// "always", "never", or "auto": on a terminal, unless NO_COLOR is set. Throws InvalidOption for other words.
bool wants_colour(const std::string& when);

}  // namespace pidforest::cli
