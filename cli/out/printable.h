// SPDX-License-Identifier: Apache-2.0
// Text from files made safe to show: a terminal must not obey what data says.
#pragma once

#include <string>
#include <string_view>

namespace pidforest::cli {

/// Control characters, those that turn the direction of writing, and bytes that are not UTF-8 become \xNN; everything
/// else stays.
std::string printable(std::string_view text);

}  // namespace pidforest::cli
