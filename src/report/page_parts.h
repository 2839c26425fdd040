// SPDX-License-Identifier: Apache-2.0
// The page of a report, embedded by the build in two pieces: the text before its data and the text after it.
#pragma once

#include <span>
#include <string_view>

namespace pidforest::report {

std::span<const std::string_view> before_data();
std::span<const std::string_view> after_data();

}  // namespace pidforest::report
