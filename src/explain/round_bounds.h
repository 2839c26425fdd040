// SPDX-License-Identifier: Apache-2.0
// Moves the bounds of cubes to round numbers. A bound moves outwards only, and at most to the nearest row outside: the
// cube still holds each row that it held, of the counted table and of any other, and its count stays true. A column of
// 0 and 1 is the exception: its part may become one of these values.
#pragma once

#include <cstdint>

#include "explain/wording.h"
#include "geometry/part.h"
#include "reasons/neighbours.h"

namespace pidforest::explain {

/// A part of an ordered axis with its bounds at the roundest numbers, in the unit of its column, between the bound and
/// the nearest value outside. A bound beyond all values moves to the last of them. Any other part, and a part of a
/// time, is returned as it is.
geometry::Part with_round_bounds(const geometry::Part& part, const reasons::Neighbours& neighbours, const Space& space);

/// Whether the part holds either 0 or 1 of an axis of numbers that has no other values. The neighbours must be those of
/// all values.
bool is_binary(const geometry::Part& part, const reasons::Neighbours& neighbours, const Space& space);

/// What the witness says of a binary part.
enum class BinaryWords : std::uint8_t {
  range,  ///< a range, like that of other parts: x > 0
  value   ///< the value: x = 1; the witness does not hold other rows than those of the table, such as one with 0.5
};

/// The part that holds only the value of a binary part.
geometry::Part value_of_binary(const geometry::Part& part);

/// The witness for a cube with round bounds that holds `n_inside` of `n_rows` rows, whose neighbours are given.
Witness round_witness_of(const geometry::Parts& parts, std::uint64_t n_inside, std::uint64_t n_rows,
                         const reasons::Neighbours& neighbours, const Space& space,
                         BinaryWords binary = BinaryWords::range);

}  // namespace pidforest::explain
