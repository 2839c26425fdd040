// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pidforest::forest {

/// The number of rows that two sets of the same size have in common. A row is one bit.
std::size_t n_common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

}  // namespace pidforest::forest
