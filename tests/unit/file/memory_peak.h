// SPDX-License-Identifier: Apache-2.0
// How much memory a piece of work takes at most at one time; memory_peak.cpp replaces operator new to know.
#pragma once

#include <cstddef>
#include <functional>

namespace pidforest {

/// In bytes asked for, beyond what was in use before.
std::size_t memory_peak_of(const std::function<void()>& work);

}  // namespace pidforest
