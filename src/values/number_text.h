// SPDX-License-Identifier: Apache-2.0
// Numbers as text, as they are written in a schema.
#pragma once

#include <string>

namespace pidforest::values {

/// Returns the shortest text that parses to the same number; -0 becomes 0.
std::string shortest_text(double number);

}  // namespace pidforest::values
