// SPDX-License-Identifier: Apache-2.0
// Finds the sparsest cube that holds a row by branch and bound, the most promising node first.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "exact/bound.h"
#include "exact/cell_table.h"
#include "exact/part_choice.h"
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

/// The search for tables of any kind. A node is the set of all cubes between the cells that must be held and those that
/// may be held, on each axis. It splits into the cubes that leave out the cell of some row on some axis, and those that
/// hold it.
class Search final : public RowSearch {
 public:
  /// Views the table.
  explicit Search(const CellTable& table);

  FoundCube best_cube(std::uint32_t combination, const Limit& limit) override;

 private:
  static constexpr std::uint32_t none = no_cell;
  static constexpr std::size_t most_nodes = std::size_t{1} << 22U;

  /// One cell that is left out or required, in addition to the decisions of the parent.
  struct Node {
    std::uint32_t parent = none;
    std::uint32_t axis = none;
    std::uint32_t cell = none;
    bool leaves_out = true;
    double upper_bound = 0;
    /// The cell to branch at; `none` if all cells are decided.
    std::uint32_t branch_axis = none;
    std::uint32_t branch_cell = none;
  };
  /// A cell to leave out, and the bits of what is left.
  struct Cut {
    std::uint32_t axis = none;
    std::uint32_t cell = none;
    /// An estimate if the cut also leaves out missing values.
    double bits = 0;
  };

  /// Adds a node and evaluates it, then the best cut of its largest cube, as long as that is the best cube so far. Adds
  /// nothing if the node's decisions leave no cube.
  void add(Node node, bool is_open);
  /// Applies the decisions of the node and its ancestors. False if they leave no cube.
  bool retrace(std::uint32_t number);
  /// Bounds the node that was retraced. Returns the single cut of its largest cube that leads to the best cube so far,
  /// if there is one.
  Cut look_at(std::uint32_t number);
  void find_rows_inside();
  [[nodiscard]] double log2_volume() const;
  void find_exclusions(Node& node);
  void find_steps();
  [[nodiscard]] Cut best_cut(double log2_sparsity) const;
  FoundCube conclude();

  const CellTable& table_;
  std::vector<std::unique_ptr<PartChoice>> choices_;
  double log2_n_rows_;
  std::uint64_t n_steps_ = 0;

  std::vector<Node> nodes_;
  /// The open nodes, a heap by upper bound.
  std::vector<std::uint32_t> open_;
  double best_bits_ = 0;
  std::uint32_t best_node_ = 0;

  // The current node.
  std::vector<std::uint32_t> conditions_;
  std::vector<std::uint32_t> inside_;
  double n_inside_ = 0;
  std::vector<Exclusion> exclusions_;
  Sides sides_;
  std::vector<double> shares_;
  /// The place after the last step of each axis.
  std::vector<std::size_t> axis_ends_;
  std::vector<double> rows_of_cell_;
  BoundRoom room_;
  std::vector<std::uint32_t> decisions_;
};

}  // namespace pidforest::exact
