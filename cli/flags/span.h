// SPDX-License-Identifier: Apache-2.0
// A span of time as people write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// "10min" in microseconds. Throws InvalidOption that names the flag.
std::int64_t parse_span(std::string_view flag, const std::string& text);

}  // namespace pidforest::cli
