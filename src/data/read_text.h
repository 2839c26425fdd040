// SPDX-License-Identifier: Apache-2.0
// What a text says as a number or as true and false.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace pidforest::data {

struct NumberReading {
  /// `beyond_double` is a number that a double cannot hold: out of its range, or an integer that would be rounded.
  enum class Form : std::uint8_t { number, missing, beyond_double, no_number };

  Form form = Form::missing;
  /// NaN unless it is a number.
  double value = std::numeric_limits<double>::quiet_NaN();
};

/// Decimal or scientific; spaces around it and a leading plus are allowed. Blank, "nan" and "NaN" are missing.
NumberReading read_number(std::string_view text);

/// true, false, t, f, yes, no, y and n in any case, with spaces around them.
std::optional<bool> read_boolean(std::string_view text);

}  // namespace pidforest::data
