// SPDX-License-Identifier: Apache-2.0
// The types of Arrow arrays, as far as they are columns of ours.
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
    /// Offsets of 32 and of 64 bits, and views.
    texts,
    long_texts,
    text_views,
    times,
    /// Since midnight.
    clock,
    durations
  };

  Layout layout = Layout::null;
  /// Of numbers, times, clocks and durations.
  Element element = Element::float64;
  TimeUnit unit = TimeUnit::microseconds;
  std::string zone = {};
  /// Of decimals: how many bytes each has, and how many of its digits are behind the point.
  std::size_t n_bytes = 0;
  int scale = 0;

  [[nodiscard]] ColumnType column_type() const;
};

/// Reads the format string of a schema. Throws InvalidInput that names the column if it is no type of ours.
ArrowType arrow_type_of(std::string_view format, std::string_view column);

}  // namespace pidforest::arrow
