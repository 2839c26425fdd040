// SPDX-License-Identifier: Apache-2.0
// The vocabulary of a schema document: names of kinds and keys, the keys that each kind may have, and error messages.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "pidforest/schema.h"

namespace pidforest::schema {

// In the order of the enumerators.
inline constexpr std::array<std::string_view, 7> kind_names{"continuous", "ordinal", "cyclic", "category",
                                                            "boolean",    "time",    "ignored"};
inline constexpr std::array<std::string_view, 5> derivation_names{"hour_of_day", "day_of_week", "month", "day_of_year",
                                                                  "epoch"};
inline constexpr std::array<std::string_view, 4> resolution_names{"hour", "minute", "second", "microsecond"};
/// EpochUnit::none has no name.
inline constexpr std::array<std::string_view, 3> epoch_unit_names{"s", "ms", "us"};
inline constexpr std::array<std::string_view, 6> date_order_names{"year_first", "day_first", "month_first",
                                                                  "no_date",    "no_year",   "no_day"};

/// A key of a column's object.
struct SchemaKey {
  std::string_view name;
  /// Bit i is set if kind number i may have the key.
  unsigned kinds = 0;
  /// True if the column has a value other than the default.
  bool (*is_given)(const ColumnSchema& column) = nullptr;

  [[nodiscard]] bool is_allowed(Kind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
};

/// In the order in which the keys are printed.
std::span<const SchemaKey> schema_keys();

/// The position of a column in the document.
struct ColumnPlace {
  std::size_t index = 0;
  /// Empty if unknown.
  std::string_view name;
  /// The list that the column is in.
  std::string_view list = "columns";

  /// Throws InvalidInput: "schema: columns[3] ('hour').period: must be a number above 0; got 0."
  [[noreturn]] void refuse(std::string_view key, std::string_view complaint) const;
  /// Throws InvalidInput for a key that columns of this kind do not have.
  [[noreturn]] void refuse_key(std::string_view key, Kind kind) const;
};

}  // namespace pidforest::schema
