// SPDX-License-Identifier: Apache-2.0
// What a file seems to be that is no model file, in words for a message.
#pragma once

#include <string>
#include <string_view>

namespace pidforest {

/// "is empty", "seems to be a Python pickle", ...: from the first few bytes of a file, and never from its name.
std::string seeming_kind(std::string_view first_bytes);

}  // namespace pidforest
