// SPDX-License-Identifier: Apache-2.0
#include "values/number_text.h"

#include <fmt/format.h>

namespace pidforest::values {

std::string shortest_text(double number) { return fmt::format("{}", number == 0 ? 0.0 : number); }

}  // namespace pidforest::values
