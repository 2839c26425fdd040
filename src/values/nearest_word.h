// SPDX-License-Identifier: Apache-2.0
// The word that was probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pidforest::values {

/// " Did you mean --top?" if a known word is at most two edits away, and at most half as far as the word is long; words
/// that differ in their case only count as equal. Empty otherwise.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace pidforest::values
