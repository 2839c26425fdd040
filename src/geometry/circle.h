// SPDX-License-Identifier: Apache-2.0
// The best grouping of cells around a circle: where to open it, so that the best grouping of the opened circle is the
// best of all.
#pragma once

#include <cstddef>
#include <functional>

#include "geometry/partition.h"

namespace pidforest::geometry {

/// The cells of a circle from another border on.
Cells opened_at(const Cells& cells, std::size_t border);

struct CircleGrouping {
  /// The border at which the circle is opened.
  std::size_t opening = 0;
  /// A grouping of the cells from there on.
  Grouping grouping;
};

/// The best grouping of a circle into at most k arcs. `cells` are its cells from any border on.
///
/// Exact, in about three runs of `partition`: let the circle be opened at border 0, where the cells differ most, and
/// let A be the best worth found. A grouping without a border at 0 has a first border b and a last one a; its group
/// around 0, from a to b, is worth w(a, b). What lies between b and a is in k - 1 groups, which cannot be worth more
/// than the best k groups up to a less w(0, b), nor more than the best k groups from b on less w(a, end). Few pairs (a,
/// b), as a rule none, leave room for more than A; as long as there are such pairs, the circle is opened at a border of
/// the most promising one.
CircleGrouping partition_circle(const Cells& cells, int k, const std::function<void()>& check_cancelled = nullptr);

}  // namespace pidforest::geometry
