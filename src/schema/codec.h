// SPDX-License-Identifier: Apache-2.0
// Defines each kind of column: its axes, the types it may have in memory and the encoding of its values as doubles.
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

/// The encoding of one column as axes.
class Codec {
 public:
  virtual ~Codec() = default;

  /// `AxisInfo::column` is not set.
  [[nodiscard]] virtual std::vector<AxisInfo> axes() const = 0;
  /// True if the column can be used as the axis without encoding.
  [[nodiscard]] virtual bool is_plain(const Column& /*column*/) const { return false; }
  /// As Encoder::encode; `axis` counts the axes of this column only.
  virtual void encode(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out) const = 0;
};

/// True if the values are named levels. False for times, booleans and ranges of whole numbers.
bool is_of_levels(const ColumnSchema& schema);

/// Keeps a reference to the schema, which must be complete and outlive the codec. Returns nullptr for an ignored
/// column.
std::unique_ptr<const Codec> make_codec(const ColumnSchema& schema);

/// Throws InvalidInput if the type of the column does not fit the schema. `as_in` explains the requirement in the
/// message: ", as in the fit", or nothing.
void check_type(const ColumnSchema& schema, const Column& column, std::string_view as_in);

/// Throws InvalidInput for a value that is not one of the declared levels.
[[noreturn]] void refuse_level(const ColumnSchema& schema, const Column& column, std::size_t row);

}  // namespace pidforest::schema
