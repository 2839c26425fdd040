// SPDX-License-Identifier: Apache-2.0
// What a condition speaks of: its column in a schema, and the set of levels that its names make up.
#pragma once

#include "data/level_names.h"
#include "pidforest/explanation.h"
#include "pidforest/schema.h"

namespace pidforest::data {

/// An end of a range.
struct Bound {
  double number = 0;
  bool is_inside = false;
};

/// low <= x and x < high, by whichever number is shorter: what begins with the double after 5 begins above 5.
Bound lower_bound(double low);
Bound upper_bound(double high);

/// Throws InvalidInput for one that the schema has not, or ignores.
const ColumnSchema& column_of(const Condition& condition, const Schema& schema);

/// The levels that the schema names among those that the condition holds. Throws InvalidInput for a name that is none.
LevelSet levels_of(const Condition& condition, const LevelNames& names);

}  // namespace pidforest::data
