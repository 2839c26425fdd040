// SPDX-License-Identifier: Apache-2.0
// One column of a table that is read a batch at a time.
#pragma once

#include <cstddef>

#include "pidforest/table.h"

namespace pidforest::table {

/// A view of one column. The batches must outlive it.
class ColumnParts {
 public:
  /// `place`: index of the column.
  ColumnParts(const Batches& batches, std::size_t place) : batches_(batches), place_(place) {}

  [[nodiscard]] ColumnType type() const { return batches_.header().columns()[place_].type; }

  /// Calls visit(part, n_rows) for each batch in order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    batches_.for_each_part(place_, visit);
  }

 private:
  const Batches& batches_;
  std::size_t place_;
};

}  // namespace pidforest::table
