// SPDX-License-Identifier: Apache-2.0
// The levels of a column by name: the index of each level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::schema {

/// Finds levels by text or by number, in constant time.
class Levels {
 public:
  /// `none`: an unknown level. `missing`: a missing value.
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t missing = none - 1;

  /// Keeps views of the schema's levels, which must outlive this object. Throws InvalidInput for a numeric level that
  /// is not a number.
  explicit Levels(const ColumnSchema& schema);

  /// Returns the index of a value among the schema's levels, from 0. An empty text is missing unless it is a level.
  /// Throws InvalidInput for a text that should be a number.
  [[nodiscard]] std::uint32_t place_of(const Column& column, std::size_t row) const;

 private:
  [[nodiscard]] std::uint32_t place_of_text(std::string_view text) const;
  [[nodiscard]] std::uint32_t place_of_number(double number) const;

  bool are_numbers_;
  std::unordered_map<std::string_view, std::uint32_t> texts_;
  std::unordered_map<double, std::uint32_t> numbers_;
};

/// Returns "'low', 'mid', 'high'", or the first few levels and the total number.
std::string list_of(const std::vector<std::string>& levels);

}  // namespace pidforest::schema
