// SPDX-License-Identifier: Apache-2.0
// The two ends of a range or an arc in words, with rounded numbers.
#pragma once

#include <cstdint>
#include <string>

#include "pidforest/explain.h"
#include "pidforest/schema.h"

namespace pidforest::explain {

struct EndWords {
  /// How a range is written: 3 < x <= 5, x 3 to 5, x from 3 to 5, x 03:00-05:00, x 3 March to 5 March, or as numbers
  /// with a zone.
  enum class Form : std::uint8_t { numbers, run, arc, hours, days, times };

  Form form = Form::numbers;
  /// An open end is empty.
  std::string low = {};
  std::string high = {};
  bool low_is_inside = true;
  bool high_is_inside = false;

  [[nodiscard]] bool is_one_value() const { return low == high && low_is_inside && high_is_inside; }
};

/// The ends of a condition that is a range or an arc. Numbers have six digits, or as many as tell the ends apart.
EndWords ends_in_words(const Condition& condition, const ColumnSchema& column);

}  // namespace pidforest::explain
