// SPDX-License-Identifier: Apache-2.0
// One column of a table whose rows come a batch at a time.
#pragma once

#include <cstddef>

#include "pidforest/table.h"

namespace pidforest::table {

/// Views the batches.
class ColumnParts {
 public:
  /// `place`: which of the columns.
  ColumnParts(const Batches& batches, std::size_t place) : batches_(batches), place_(place) {}

  [[nodiscard]] ColumnType type() const { return batches_.columns().columns()[place_].type; }

  /// Calls visit(part, n_rows) with one part after the other.
  template <class Visit>
  void for_each(const Visit& visit) const {
    batches_.for_each_part(place_, visit);
  }

 private:
  const Batches& batches_;
  std::size_t place_;
};

}  // namespace pidforest::table
