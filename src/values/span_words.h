// SPDX-License-Identifier: Apache-2.0
// How long something takes, in words.
#pragma once

#include <cstdint>
#include <string>

namespace pidforest::values {

/// "25 min", "1 h 30 min", "2 d", "250 ms"; exactly so many microseconds, which are more than 0.
std::string span_words(std::int64_t microseconds);

}  // namespace pidforest::values
