// SPDX-License-Identifier: Apache-2.0
// Durations in words.
#pragma once

#include <cstdint>
#include <string>

namespace pidforest::values {

/// Returns the exact duration: "25 min", "1 h 30 min", "2 d", "250 ms". `microseconds` must be positive.
std::string span_words(std::int64_t microseconds);

}  // namespace pidforest::values
