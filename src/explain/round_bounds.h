// SPDX-License-Identifier: Apache-2.0
// Moves the bounds of cubes to round numbers. A bound moves outwards only, and at most to the nearest row outside: the
// cube still holds each row that it held, of the counted table and of any other, and its count stays true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "explain/wording.h"
#include "forest/rows.h"
#include "geometry/part.h"
#include "pidforest/options.h"

namespace pidforest::explain {

/// The values of a table that are next to the bounds of cubes.
class Neighbours {
 public:
  Neighbours(std::span<const geometry::Parts> cubes, std::size_t n_axes);

  /// Looks at the values of more rows. The order of the rows does not matter.
  void add(const forest::Rows& rows, const Run& run);

  /// The largest value below a bound of one of the cubes, if there is one.
  [[nodiscard]] std::optional<double> below(std::size_t axis, double bound) const;
  /// The smallest value that is not below it.
  [[nodiscard]] std::optional<double> above(std::size_t axis, double bound) const;
  /// The value of all rows, if they have only one. The axis is one that a cube bounds.
  [[nodiscard]] std::optional<double> only_value(std::size_t axis) const;

 private:
  /// The values between two bounds.
  struct Cell {
    double least;
    double largest;
  };
  struct Axis {
    /// In increasing order; cell i ends at bound i, and the last has no end.
    std::vector<double> bounds;
    std::vector<Cell> cells;
    bool has_missing = false;
  };

  static void add(const forest::StridedColumn& column, std::size_t n, Axis& axis);

  std::vector<Axis> axes_;
};

/// A part of an ordered axis with its bounds at the roundest numbers, in the unit of its column, between the bound and
/// the nearest value outside. A bound beyond all values moves to the last of them. Any other part, and a part of a
/// time, is returned as it is.
geometry::Part with_round_bounds(const geometry::Part& part, const Neighbours& neighbours, const Space& space);

/// The witness for a cube with round bounds that holds `n_inside` of `n_rows` rows, whose neighbours are given.
Witness round_witness_of(const geometry::Parts& parts, std::uint64_t n_inside, std::uint64_t n_rows,
                         const Neighbours& neighbours, const Space& space);

}  // namespace pidforest::explain
