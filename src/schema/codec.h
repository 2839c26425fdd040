// SPDX-License-Identifier: Apache-2.0
// What each kind of column is made of: its axes, the types it may have in memory and how its values become doubles.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/encode.h"

namespace pidforest::schema {

/// How one column becomes axes.
class Codec {
 public:
  virtual ~Codec() = default;

  /// Without the place of the column.
  [[nodiscard]] virtual std::vector<AxisInfo> axes() const = 0;
  /// Whether the axis is the column as it is.
  [[nodiscard]] virtual bool is_plain(const Column& /*column*/) const { return false; }
  /// As Encoder::encode; `axis` counts those of this column.
  virtual void encode(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out) const = 0;
};

/// Whether the values are named levels; of a time, a boolean or whole numbers of a range they are not.
bool is_of_levels(const ColumnSchema& schema);

/// Views a complete schema, which must stay where it is. nullptr for an ignored column.
std::unique_ptr<const Codec> make_codec(const ColumnSchema& schema);

/// Throws InvalidInput if values of the column's type cannot be what the schema says. `as_in` says why it must:
/// ", as in the fit", or nothing.
void check_type(const ColumnSchema& schema, const Column& column, std::string_view as_in);

/// Throws InvalidInput for a value that is not among the declared levels.
[[noreturn]] void refuse_level(const ColumnSchema& schema, const Column& column, std::size_t row);

}  // namespace pidforest::schema
