// SPDX-License-Identifier: Apache-2.0
// The supported types of Arrow arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "pidforest/arrow.h"
#include "pidforest/table.h"

namespace pidforest::arrow {

struct ArrowType {
  enum class Layout : std::uint8_t {
    null,
    bits,
    numbers,
    decimals,
    /// Texts with 32-bit offsets, with 64-bit offsets, and views.
    texts,
    long_texts,
    text_views,
    times,
    /// Time since midnight.
    clock,
    durations
  };

  Layout layout = Layout::null;
  /// For numbers, times, clocks and durations.
  ElementType element = ElementType::float64;
  TimeUnit unit = TimeUnit::microseconds;
  std::string zone = {};
  /// For decimals: the number of bytes of each, and the number of digits after the decimal point.
  std::size_t n_bytes = 0;
  int scale = 0;

  [[nodiscard]] ColumnType column_type() const;
};

/// Parses the format string of a schema. Throws InvalidInput naming the column if the type is not supported.
ArrowType arrow_type_of(std::string_view format, std::string_view column);

}  // namespace pidforest::arrow
