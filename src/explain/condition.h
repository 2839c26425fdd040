// SPDX-License-Identifier: Apache-2.0
// Checks a condition against a schema, and resolves its bounds and levels.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/schema.h"
#include "schema/level_names.h"
#include "values/json.h"

namespace pidforest::explain {

/// The position of a condition in a list, for messages.
struct ConditionPlace {
  std::size_t index = 0;
  /// Empty if the column is not known.
  std::string_view column = {};

  /// Throws InvalidInput: "conditions[2] ('hour').below: must be a number; got 'noon'."
  [[noreturn]] void refuse(std::string_view key, std::string_view complaint) const;
};

/// Returns the column of a condition. Throws InvalidInput for a condition that does not fit the column: a shape that
/// its kind does not have, bounds out of order or inside a cell, an unknown level.
const ColumnSchema& check_condition(const Condition& condition, const Schema& schema, std::size_t index = 0);

/// Reads an array of conditions. Throws InvalidInput that names the place.
std::vector<Condition> read_conditions(const values::Json& array);

/// Returns the levels of the schema that a valid condition includes.
schema::LevelSet levels_of(const Condition& condition, const schema::LevelNames& names);

/// An end of a range.
struct Bound {
  double number = 0;
  bool is_inside = false;
};

/// The bounds of low <= x < high, each written by the shorter number: a range that starts at the double after 5 is
/// written as "above 5".
Bound lower_bound(double low);
Bound upper_bound(double high);

}  // namespace pidforest::explain
