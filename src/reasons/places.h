// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pidforest::reasons {

/// Sets places[i] to the number of bounds that are not above values[i]; 0 for NaN. `bounds` are in increasing order and
/// not empty. The number of values and places must be a multiple of 8.
void find_places(std::span<const double> bounds, std::span<const double> values, std::span<std::int64_t> places);

}  // namespace pidforest::reasons
