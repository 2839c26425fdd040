// SPDX-License-Identifier: Apache-2.0
// Measures the peak memory of a piece of work; memory_peak.cpp replaces operator new for this purpose.
#pragma once

#include <cstddef>
#include <functional>

namespace pidforest {

/// In requested bytes, in addition to the memory in use before.
std::size_t memory_peak_of(const std::function<void()>& work);

}  // namespace pidforest
