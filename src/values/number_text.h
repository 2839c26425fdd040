// SPDX-License-Identifier: Apache-2.0
// How a schema writes a number.
#pragma once

#include <string>

namespace pidforest::values {

/// The shortest text that reads back as the same number; -0 is 0.
std::string shortest_text(double number);

}  // namespace pidforest::values
