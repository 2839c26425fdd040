// SPDX-License-Identifier: Apache-2.0
// The isolated parts of a forest as witnesses: the reason for a row with an isolated value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "explain/wording.h"
#include "forest/forest.h"
#include "forest/rows.h"
#include "geometry/part.h"
#include "pidforest/explain.h"
#include "reasons/neighbours.h"

namespace pidforest::explain {

/// An isolated part as a condition on its axis.
struct IsolatedReason {
  geometry::Part part;
  /// Its share of the length of the axis.
  double share = 0;
  /// The number of fitted rows in it.
  std::uint64_t n_rows = 0;
};

class IsolatedReasons {
 public:
  /// Views the forest and the space.
  IsolatedReasons(const forest::Forest& forest, const Space& space);

  [[nodiscard]] const std::vector<IsolatedReason>& all() const { return reasons_; }
  /// The place in `all()` of the part that gives a row the most bits; nullopt if no value of the row is isolated.
  [[nodiscard]] std::optional<std::uint32_t> reason_of(const forest::Rows& rows, std::size_t row) const;

  /// The witness of a part that holds `n_inside` of `n_rows` rows, with round bounds.
  [[nodiscard]] Witness witness(std::uint32_t place, std::uint64_t n_inside, std::uint64_t n_rows) const;

 private:
  void add_axis(std::uint32_t axis);
  void add_values(std::size_t axis, const geometry::IsolatedPart& part);

  const forest::Forest& forest_;
  const Space& space_;
  std::vector<IsolatedReason> reasons_;
  /// The place of the first reason of each axis.
  std::vector<std::uint32_t> first_;
  reasons::Neighbours neighbours_;
};

}  // namespace pidforest::explain
