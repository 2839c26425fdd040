// SPDX-License-Identifier: Apache-2.0
// Excerpts of user text for error messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pidforest::values {

/// Cuts the text to `longest` characters and escapes control characters and bytes that are not valid UTF-8. The result
/// is always one line of UTF-8.
std::string excerpt(std::string_view text, std::size_t longest = 40);

}  // namespace pidforest::values
