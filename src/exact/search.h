// SPDX-License-Identifier: Apache-2.0
// The sparsest cube that holds a row: branch and bound, the most promising first.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "exact/axis_choice.h"
#include "exact/bound.h"
#include "exact/cell_table.h"
#include "geometry/part.h"

namespace pidforest::exact {

/// What is known of the sparsest cube that holds a row.
struct BestCube {
  double bits = 0;
  /// Equal to `bits` if nothing is sparser.
  double upper_bound = 0;
  geometry::Parts cube = {};
  std::uint64_t n_inside = 0;
  /// Whether it is memory that ended the search; more time would not help.
  bool is_out_of_room = false;

  [[nodiscard]] bool is_optimal() const { return upper_bound == bits; }
};

/// When a search is to end before it is done.
struct Limit {
  /// Values looked at.
  std::uint64_t steps = 0;
  /// Asked now and then; may throw.
  std::function<bool()> is_over = [] { return false; };
};

/// Bits that differ by less count as equal.
inline constexpr double tolerance = 1e-9;

/// Searches one row after another with the same room.
class RowSearch {
 public:
  RowSearch() = default;
  RowSearch(const RowSearch&) = delete;
  RowSearch& operator=(const RowSearch&) = delete;
  virtual ~RowSearch() = default;

  /// The row has one of the table's combinations.
  virtual BestCube best_cube(std::uint32_t combination, const Limit& limit) = 0;
};

/// The search that fits the table, which it views.
std::unique_ptr<RowSearch> make_search(const CellTable& table);

/// The search for tables of all kinds. A node of the search is a set of cubes: on each axis those
/// between what they must hold and what they may hold. It splits into those that leave out the cell of some row on some
/// axis and those that hold it.
class Search final : public RowSearch {
 public:
  /// Views the table.
  explicit Search(const CellTable& table);

  BestCube best_cube(std::uint32_t combination, const Limit& limit) override;

 private:
  static constexpr std::uint32_t none = no_cell;
  static constexpr std::size_t most_nodes = std::size_t{1} << 22U;

  /// One cell left out or taken in after what its parent did.
  struct Node {
    std::uint32_t parent = none;
    std::uint32_t axis = none;
    std::uint32_t cell = none;
    bool leaves_out = true;
    double upper_bound = 0;
    /// The cell to branch at; `none` where all is decided.
    std::uint32_t branch_axis = none;
    std::uint32_t branch_cell = none;
  };
  /// A cell to leave out, and the bits of what is left.
  struct Cut {
    std::uint32_t axis = none;
    std::uint32_t cell = none;
    /// Not quite right where the cut takes missing values with it.
    double bits = 0;
  };

  /// Adds a node and looks at it, and then at the best cut of its largest cube, as long as that is the best cube found
  /// so far. Nothing is added where the node's decisions leave no cube.
  void add(Node node, bool is_open);
  /// Decides all that the node and those above it do. False if that leaves no cube.
  bool retrace(std::uint32_t number);
  /// Looks at the node that was retraced: bounds it, and gives the single cut of its largest cube that leads to the
  /// best found so far, if one does.
  Cut look_at(std::uint32_t number);
  void find_rows_inside();
  [[nodiscard]] double log2_volume() const;
  void find_exclusions(Node& node);
  void find_steps();
  [[nodiscard]] Cut best_cut(double log2_sparsity) const;
  BestCube conclude();

  const CellTable& table_;
  std::vector<std::unique_ptr<AxisChoice>> choices_;
  double log2_n_rows_;
  std::uint64_t n_steps_ = 0;

  std::vector<Node> nodes_;
  /// The open nodes, a heap by upper bound.
  std::vector<std::uint32_t> open_;
  double best_bits_ = 0;
  std::uint32_t best_node_ = 0;

  // Of the node that is looked at.
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
