// SPDX-License-Identifier: Apache-2.0
// The values of a table next to the bounds of parts: a bound may move between them without changing a count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/row_block.h"
#include "forest/rows.h"
#include "geometry/part.h"

namespace pidforest::reasons {

class Neighbours {
 public:
  /// The least and the largest value between two bounds. The least is infinite and above the largest if there is none.
  struct Cell {
    double least;
    double largest;

    bool operator==(const Cell&) const = default;
  };
  /// The bounds of one axis and the values between them.
  struct Axis {
    /// In increasing order; cell i ends at bound i, and the last has no end.
    std::vector<double> bounds;
    std::vector<Cell> cells;
    bool has_missing = false;

    bool operator==(const Axis&) const = default;
  };

  /// No bounds.
  Neighbours() = default;
  /// The bounds of parts of ordered axes, or of any part that is the only one of its axis; without values.
  Neighbours(std::span<const geometry::Part> parts, std::size_t n_axes);

  /// For each code of an axis, a number of bounds that all values with this code reach.
  using ReachedBounds = std::vector<std::vector<std::uint32_t>>;
  [[nodiscard]] ReachedBounds reached_bounds(const forest::CodeBook& book) const;

  /// Looks at the values of more rows. The order of the rows does not matter.
  void add(const forest::Rows& rows);
  /// Does this for the rows of a block faster. The block keeps all codes and holds `rows` from `begin` on; `reached` is
  /// what `reached_bounds` returns.
  void add_block(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin,
                 const ReachedBounds& reached);
  void add_value(std::size_t axis, double x);
  /// Adds the values of other rows between the same bounds.
  void merge(const Neighbours& other);

  /// The largest value below a bound of one of the parts, if there is one.
  [[nodiscard]] std::optional<double> below(std::size_t axis, double bound) const;
  /// The smallest value that is not below it.
  [[nodiscard]] std::optional<double> above(std::size_t axis, double bound) const;
  /// The value of all rows, if they have only one. The axis is one that a part bounds.
  [[nodiscard]] std::optional<double> only_value(std::size_t axis) const;

  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  /// For values that come from a file; the cells must fit the bounds.
  [[nodiscard]] std::vector<Axis>& axes() { return axes_; }

  bool operator==(const Neighbours&) const = default;

 private:
  static void add_to_cell(double x, Cell& cell, Axis& axis);

  std::vector<Axis> axes_;
};

}  // namespace pidforest::reasons
