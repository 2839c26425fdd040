// SPDX-License-Identifier: Apache-2.0
// Translates between cubes in encoded values and conditions in the words of the schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "geometry/interval.h"
#include "geometry/part.h"
#include "pidforest/explain.h"
#include "schema/encode.h"

namespace pidforest::explain {

/// The meaning of axis numbers and encoded values. Views its members.
struct Space {
  const schema::Encoder& encoder;
  /// The axis of the encoder behind each axis of the forest.
  std::span<const std::size_t> axis_order;
  /// The root cube, one interval per axis.
  std::span<const geometry::Interval> root;
};

/// The derivation that an axis of the encoder holds, if its column is a time.
std::optional<Derivation> derivation_of(const schema::Encoder& encoder, std::size_t axis);

/// The condition that a row satisfies exactly if the part holds its encoded value. The part must hold some value.
Condition condition_of(const geometry::Part& part, const Space& space);

/// The inverse of condition_of, for a table whose only column is `column`: a part of axis 0. The condition must fit the
/// column.
geometry::Part part_of(const Condition& condition, const ColumnSchema& column);

/// The witness for a cube that holds `n_inside` of `n_rows` rows.
Witness witness_of(const geometry::Parts& parts, std::uint64_t n_inside, std::uint64_t n_rows, const Space& space);

}  // namespace pidforest::explain
