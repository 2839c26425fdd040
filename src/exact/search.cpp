// SPDX-License-Identifier: Apache-2.0
#include "exact/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "exact/bound.h"
#include "exact/part_choice.h"
#include "geometry/logarithm.h"

namespace pidforest::exact {

using geometry::portable_log2;

namespace {

/// The search for tables of any kind: branch and bound, the most promising node first. A node is the set of all cubes
/// between the cells that must be held and those that may be held, on each axis. It splits into the cubes that leave
/// out the cell of some row on some axis, and those that hold it.
class Search final : public RowSearch {
 public:
  /// Views the table.
  explicit Search(const CellTable& table)
      : table_(table), log2_n_rows_(portable_log2(static_cast<double>(table.n_rows()))) {
    std::uint32_t most_cells = 0;
    for (const AxisCells& cells : table.axes()) {
      choices_.push_back(make_choice(cells));
      most_cells = std::max(most_cells, cells.n_values + 1);
    }
    rows_of_cell_.assign(most_cells, 0);
  }

  FoundCube best_cube(std::uint32_t combination, const Limit& limit) override {
    for (std::size_t axis = 0; axis < choices_.size(); ++axis)
      choices_[axis]->set_target(table_.cells_of(combination)[axis]);
    nodes_.clear();
    open_.clear();
    n_steps_ = 0;
    best_bits_ = -std::numeric_limits<double>::infinity();
    add({}, true);
    const auto is_before = [&](std::uint32_t a, std::uint32_t b) {
      return nodes_[a].upper_bound != nodes_[b].upper_bound ? nodes_[a].upper_bound < nodes_[b].upper_bound : a > b;
    };
    while (!open_.empty() && nodes_[open_.front()].upper_bound > best_bits_ + tolerance) {
      if (n_steps_ >= limit.steps || nodes_.size() >= most_nodes || limit.is_over()) break;
      const std::uint32_t number = open_.front();
      std::ranges::pop_heap(open_, is_before);
      open_.pop_back();
      const std::size_t n_open = open_.size();
      for (const bool leaves_out : {true, false})
        add({.parent = number,
             .axis = nodes_[number].branch_axis,
             .cell = nodes_[number].branch_cell,
             .leaves_out = leaves_out},
            true);
      for (std::size_t i = n_open; i < open_.size(); ++i)
        std::push_heap(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(i + 1), is_before);
    }
    return conclude();
  }

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
  void add(Node node, bool is_open) {
    while (true) {
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(node);
      if (!retrace(number)) return nodes_.pop_back();
      const Cut cut = look_at(number);
      const bool may_be_better = nodes_[number].upper_bound > best_bits_ + tolerance;
      if (is_open && may_be_better && nodes_[number].branch_axis != none) open_.push_back(number);
      if (cut.axis == none) return;
      node = {.parent = number, .axis = cut.axis, .cell = cut.cell};
      is_open = false;  // its cubes are among those of the node that is open
    }
  }
  /// Applies the decisions of the node and its ancestors. False if they leave no cube.
  bool retrace(std::uint32_t number) {
    decisions_.clear();
    for (; number != none; number = nodes_[number].parent) decisions_.push_back(number);
    for (const auto& choice : choices_) choice->start();
    for (auto decision = decisions_.rbegin(); decision != decisions_.rend(); ++decision) {
      const Node& node = nodes_[*decision];
      if (node.axis == none) continue;
      PartChoice& choice = *choices_[node.axis];
      if (!(node.leaves_out ? choice.leave_out(node.cell) : choice.take_in(node.cell))) return false;
    }
    return true;
  }
  /// Bounds the node that was retraced. Returns the single cut of its largest cube that leads to the best cube so far,
  /// if there is one.
  Cut look_at(std::uint32_t number) {
    find_rows_inside();
    const double log2_sparsity = log2_volume() + log2_n_rows_;
    const double bits = log2_sparsity - portable_log2(n_inside_);
    if (bits > best_bits_) {
      best_bits_ = bits;
      best_node_ = number;
    }
    find_exclusions(nodes_[number]);
    find_steps();
    nodes_[number].upper_bound = log2_sparsity + most_bits(n_inside_, exclusions_, sides_, room_);
    return best_cut(log2_sparsity);
  }
  void find_rows_inside() {
    inside_.clear();
    n_inside_ = 0;
    conditions_.clear();
    for (std::uint32_t axis = 0; axis < choices_.size(); ++axis)
      if (!choices_[axis]->is_whole()) conditions_.push_back(axis);
    for (std::uint32_t one = 0; one < table_.n_combinations(); ++one) {
      const auto cells = table_.cells_of(one);
      const auto is_held = [&](std::uint32_t axis) { return choices_[axis]->may_hold(cells[axis]); };
      if (!std::ranges::all_of(conditions_, is_held)) continue;
      inside_.push_back(one);
      n_inside_ += table_.count_of(one);
    }
    n_steps_ += table_.n_combinations() + inside_.size() * choices_.size();
  }
  [[nodiscard]] double log2_volume() const {
    double sum = 0;
    for (const auto& choice : choices_) sum += portable_log2(choice->share());
    return sum;
  }
  /// What it costs at least to leave out each row, and where to branch: at the row that costs most, on the axis where
  /// it costs least.
  void find_exclusions(Node& node) {
    shares_.clear();
    for (const auto& choice : choices_) shares_.push_back(choice->share());
    exclusions_.clear();
    double least_left = 2;
    for (const std::uint32_t one : inside_) {
      const auto cells = table_.cells_of(one);
      double most_left = 0;
      std::uint32_t best_axis = none;
      for (std::uint32_t axis = 0; axis < choices_.size(); ++axis) {
        const double left = choices_[axis]->share_without(cells[axis]) / shares_[axis];
        if (left <= most_left) continue;
        most_left = left;
        best_axis = axis;
      }
      if (best_axis == none) continue;  // it must be held
      exclusions_.push_back({-portable_log2(most_left), table_.count_of(one)});
      if (most_left >= least_left) continue;
      least_left = most_left;
      node.branch_axis = best_axis;
      node.branch_cell = cells[best_axis];
    }
  }
  void find_steps() {
    sides_.clear();
    axis_ends_.clear();
    for (std::size_t axis = 0; axis < choices_.size(); ++axis) {
      for (const std::uint32_t one : inside_) rows_of_cell_[table_.cells_of(one)[axis]] += table_.count_of(one);
      choices_[axis]->add_steps(rows_of_cell_, sides_);
      axis_ends_.push_back(sides_.steps.size());
      for (const std::uint32_t one : inside_) rows_of_cell_[table_.cells_of(one)[axis]] = 0;
    }
  }
  [[nodiscard]] Cut best_cut(double log2_sparsity) const {
    Cut best{.bits = best_bits_ + tolerance};
    std::size_t place = 0;
    for (std::uint32_t axis = 0; axis < choices_.size(); ++axis)
      for (; place < axis_ends_[axis]; ++place) {
        const Step& step = sides_.steps[place];
        const double bits_alone = log2_sparsity - step.loss;
        if (step.cell == no_cell || bits_alone <= best.bits) continue;
        const double bits = bits_alone - portable_log2(n_inside_ - step.rows);
        if (bits > best.bits) best = {axis, step.cell, bits};
      }
    return best;
  }
  FoundCube conclude() {
    FoundCube found{.bits = best_bits_, .upper_bound = best_bits_, .is_out_of_room = nodes_.size() >= most_nodes};
    for (const std::uint32_t number : open_) {
      const double upper_bound = nodes_[number].upper_bound;
      if (upper_bound > best_bits_ + tolerance) found.upper_bound = std::max(found.upper_bound, upper_bound);
    }
    (void)retrace(best_node_);
    find_rows_inside();
    found.n_inside = static_cast<std::uint64_t>(n_inside_);
    for (std::uint32_t axis = 0; axis < choices_.size(); ++axis)
      if (auto part = choices_[axis]->part(axis)) found.cube.push_back(std::move(*part));
    return found;
  }

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

}  // namespace

std::unique_ptr<RowSearch> make_search(const CellTable& table) {
  return is_boolean(table) ? make_boolean_search(table) : make_general_search(table);
}

std::unique_ptr<RowSearch> make_general_search(const CellTable& table) { return std::make_unique<Search>(table); }

}  // namespace pidforest::exact
