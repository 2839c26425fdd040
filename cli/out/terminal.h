// SPDX-License-Identifier: Apache-2.0
// What the standard output is, and what it may be sent.
#pragma once

#include <cstddef>
#include <string>

namespace pidforest::cli {

/// The columns of the terminal, or 100 where the output is none.
std::size_t line_width();

/// "always", "never", or "auto": on a terminal, unless NO_COLOR is set. Throws InvalidOption for other words.
bool wants_colour(const std::string& when);

}  // namespace pidforest::cli
