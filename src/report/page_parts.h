// SPDX-License-Identifier: Apache-2.0
// The page of a report as the build has embedded it, in pieces: what comes before its data, and after.
#pragma once

#include <span>
#include <string_view>

namespace pidforest::report {

std::span<const std::string_view> before_data();
std::span<const std::string_view> after_data();

}  // namespace pidforest::report
