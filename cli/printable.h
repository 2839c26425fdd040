// SPDX-License-Identifier: Apache-2.0
// Text from files made safe to show: a terminal must not obey what data says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// Control characters and bytes that are not UTF-8 become \xNN; everything else stays.
std::string printable(std::string_view text);

/// The number of characters of a UTF-8 text.
std::size_t n_characters(std::string_view text);

}  // namespace pidforest::cli
