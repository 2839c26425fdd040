// SPDX-License-Identifier: Apache-2.0
// What an error message quotes of a user's text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pidforest::values {

/// Cut to `longest` characters, with control characters and bytes that are no UTF-8 escaped: always one line of UTF-8.
std::string excerpt(std::string_view text, std::size_t longest = 40);

}  // namespace pidforest::values
