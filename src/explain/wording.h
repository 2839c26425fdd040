// SPDX-License-Identifier: Apache-2.0
// A cube in the schema's words: what the parts of axes, in encoded values, are conditions on.
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

/// What the numbers of axes and their encoded values stand for. Views all of it.
struct Space {
  const schema::Encoder& encoder;
  /// Which of the encoder's axes each axis is.
  std::span<const std::size_t> axis_order;
  /// The root cube, one interval per axis.
  std::span<const geometry::Interval> root;
};

/// Which of the derivations of its column an axis of the encoder is, if that is a column of times.
std::optional<Derivation> derivation_of(const schema::Encoder& encoder, std::size_t axis);

/// The condition that exactly the rows satisfy whose encoded value the part holds. The part must hold some value.
Condition condition_of(const geometry::Part& part, const Space& space);

/// The inverse: a part of the axis that `column` alone would be, as number 0. The condition fits the column.
geometry::Part part_of(const Condition& condition, const ColumnSchema& column);

/// A cube that holds `n_inside` of `n_rows` rows.
Witness witness_of(const geometry::Parts& parts, std::uint64_t n_inside, std::uint64_t n_rows, const Space& space);

}  // namespace pidforest::explain
