// SPDX-License-Identifier: Apache-2.0
// Whether a condition fits a schema, and what its bounds and names stand for.
#pragma once

#include <cstddef>
#include <string_view>

#include "pidforest/explain.h"
#include "pidforest/schema.h"
#include "schema/level_names.h"

namespace pidforest::explain {

/// Where a condition stands among others.
struct ConditionPlace {
  std::size_t index = 0;
  /// Empty if it is not known.
  std::string_view column = {};

  /// Throws InvalidInput: "conditions[2] ('hour').below: must be a number; got 'noon'."
  [[noreturn]] void refuse(std::string_view key, std::string_view complaint) const;
};

/// The column of a condition. Throws InvalidInput for a condition that does not fit it: another shape than its kind
/// has, bounds in no order or not between cells, a level that is none.
const ColumnSchema& check_condition(const Condition& condition, const Schema& schema, std::size_t index = 0);

/// The levels that the schema names among those that a condition holds which fits it.
schema::LevelSet levels_of(const Condition& condition, const schema::LevelNames& names);

/// An end of a range.
struct Bound {
  double number = 0;
  bool is_inside = false;
};

/// low <= x and x < high, by whichever number is shorter: what begins with the double after 5 begins above 5.
Bound lower_bound(double low);
Bound upper_bound(double high);

}  // namespace pidforest::explain
