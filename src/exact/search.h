// SPDX-License-Identifier: Apache-2.0
// Finds the sparsest cube that holds a row.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "exact/cell_table.h"
#include "geometry/part.h"

namespace pidforest::exact {

/// The sparsest cube found around a row, and a bound for all cubes.
struct FoundCube {
  double bits = 0;
  /// No cube has more bits than this. Equal to `bits` if the cube is optimal.
  double upper_bound = 0;
  geometry::Parts cube = {};
  std::uint64_t n_inside = 0;
  /// Whether the search ended for lack of memory; more time would not help.
  bool is_out_of_room = false;

  [[nodiscard]] bool is_optimal() const { return upper_bound == bits; }
};

/// The limits of a search.
struct Limit {
  /// The number of values read.
  std::uint64_t steps = 0;
  /// Called regularly; may throw.
  std::function<bool()> is_over = [] { return false; };
};

/// Bits that differ by less count as equal.
inline constexpr double tolerance = 1e-9;

/// Searches one row after another in the same memory.
class RowSearch {
 public:
  RowSearch() = default;
  RowSearch(const RowSearch&) = delete;
  RowSearch& operator=(const RowSearch&) = delete;
  virtual ~RowSearch() = default;

  /// The row has one of the table's combinations.
  virtual FoundCube best_cube(std::uint32_t combination, const Limit& limit) = 0;
};

/// The fastest search for the table. Views the table.
std::unique_ptr<RowSearch> make_search(const CellTable& table);
/// The search for tables of any kind.
std::unique_ptr<RowSearch> make_general_search(const CellTable& table);
/// The search for Boolean tables, and whether a table is one: every axis has two levels and no missing values, or a
/// single value.
std::unique_ptr<RowSearch> make_boolean_search(const CellTable& table);
bool is_boolean(const CellTable& table);

}  // namespace pidforest::exact
