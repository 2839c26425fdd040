// SPDX-License-Identifier: Apache-2.0
// Defines each kind of column: its axes, the types it may have in memory and the encoding of its values as doubles.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "pidforest/schema.h"
#include "pidforest/table.h"
#include "schema/encode.h"

namespace pidforest::schema {

/// The encoding of one column as axes.
struct Codec {
  /// `AxisInfo::column` is not set. Empty for an ignored column.
  std::vector<AxisInfo> axes = {};
  /// As Encoder::encode; `axis` counts the axes of this column only.
  std::function<void(std::size_t axis, const Column& column, std::size_t begin, std::span<double> out)> encode = {};
  /// True if a column of numbers can be used as the axis without encoding.
  bool are_numbers_plain = false;
};

/// True if the values are named levels. False for times, booleans and ranges of whole numbers.
bool is_of_levels(const ColumnSchema& schema);

/// Keeps a reference to the schema, which must be complete and outlive the codec.
Codec make_codec(const ColumnSchema& schema);

/// Whether values of this type fit the schema.
bool may_be(const ColumnSchema& schema, ColumnType type);

/// Throws InvalidInput if the type of the column does not fit the schema. `as_in` explains the requirement in the
/// message: ", as in the fit", or nothing.
void check_type(const ColumnSchema& schema, const Column& column, std::string_view as_in);

/// Throws InvalidInput for a value that is not one of the declared levels.
[[noreturn]] void refuse_level(const ColumnSchema& schema, const Column& column, std::size_t row);

}  // namespace pidforest::schema
