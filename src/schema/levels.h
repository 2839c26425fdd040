// SPDX-License-Identifier: Apache-2.0
// The levels of a column by name: where each stands in their order, and which ones a table holds.
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
#include "table/column_parts.h"

namespace pidforest::schema {

/// Finds levels by text or by number, in constant time.
class Levels {
 public:
  /// In the place of a level that is not among them, and of a value that is missing.
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t missing = none - 1;

  /// Views the schema's levels, which must stay where they are. Throws InvalidInput for numeric ones that are none.
  explicit Levels(const ColumnSchema& schema);

  /// Where a value stands in the order of the schema's levels, from 0. An empty text is missing unless it is a level.
  /// Throws InvalidInput for a text that should be a number.
  [[nodiscard]] std::uint32_t place_of(const Column& column, std::size_t row) const;

 private:
  [[nodiscard]] std::uint32_t place_of_text(std::string_view text) const;
  [[nodiscard]] std::uint32_t place_of_number(double number) const;

  bool are_numbers_;
  std::unordered_map<std::string_view, std::uint32_t> texts_;
  std::unordered_map<double, std::uint32_t> numbers_;
};

/// "'low', 'mid', 'high'", or the first few and how many there are.
std::string list_of(const std::vector<std::string>& levels);

/// The different texts of a column of texts, sorted by bytes. Throws InvalidInput for one that is no UTF-8.
std::vector<std::string> distinct_texts(const table::ColumnParts& parts);

/// The different numbers of a column of numbers, booleans or texts, sorted. Throws InvalidInput for a text that is none
/// and for infinity.
std::vector<double> distinct_numbers(const table::ColumnParts& parts);

}  // namespace pidforest::schema
