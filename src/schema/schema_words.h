// SPDX-License-Identifier: Apache-2.0
// The words of a schema document: how kinds and keys are called, which keys a kind may have, how a mistake is told.
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
/// EpochUnit::none has no word.
inline constexpr std::array<std::string_view, 3> epoch_unit_names{"s", "ms", "us"};
inline constexpr std::array<std::string_view, 3> date_order_names{"year_first", "day_first", "month_first"};

/// A key of a column's object.
struct SchemaKey {
  std::string_view name;
  /// Bit i: the kind number i may have it.
  unsigned kinds = 0;
  /// Whether a column has anything but the default there.
  bool (*is_given)(const ColumnSchema& column) = nullptr;

  [[nodiscard]] bool is_allowed(Kind kind) const { return (kinds >> static_cast<unsigned>(kind) & 1U) != 0; }
};

/// In the order in which they are printed.
std::span<const SchemaKey> schema_keys();

/// Where a column stands in the document.
struct ColumnPlace {
  std::size_t index = 0;
  /// Empty if it is not known.
  std::string_view name;

  /// Throws InvalidInput: "schema: columns[3] ('hour').period: must be a number above 0; got 0."
  [[noreturn]] void refuse(std::string_view key, std::string_view complaint) const;
  /// The same for a key that no column of the kind has.
  [[noreturn]] void refuse_key(std::string_view key, Kind kind) const;
};

}  // namespace pidforest::schema
