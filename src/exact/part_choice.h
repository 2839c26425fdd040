// SPDX-License-Identifier: Apache-2.0
// The candidate parts of one axis during a search: all parts between the cells that must be held and those that may be.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exact/axis_cells.h"
#include "geometry/part.h"

namespace pidforest::exact {

/// One step of leaving out rows at one end of an axis. `rows` and `loss` include the earlier steps on the same side.
/// The loss in bits of volume is a lower bound, whatever else is left out.
struct Step {
  double rows = 0;
  double loss = 0;
  /// The cell whose removal makes this step; `no_cell` if no single cell does.
  std::uint32_t cell = 0;
};
inline constexpr std::uint32_t no_cell = ~std::uint32_t{0};

/// The steps of several sides one after the other; `ends` has the place after the last step of each side.
struct Sides {
  std::vector<Step> steps;
  std::vector<std::size_t> ends;

  void end_side() {
    if (!steps.empty() && (ends.empty() || ends.back() < steps.size())) ends.push_back(steps.size());
  }
  void clear() {
    steps.clear();
    ends.clear();
  }
};

class PartChoice {
 public:
  PartChoice(const PartChoice&) = delete;
  PartChoice& operator=(const PartChoice&) = delete;
  virtual ~PartChoice() = default;

  /// Sets the target cell: every candidate part must hold it.
  void set_target(std::uint32_t cell);
  /// Resets the candidates to all parts that hold the target.
  void start();

  /// Excludes the cell, and all cells that can only be held with it. False if the cell must be held.
  bool leave_out(std::uint32_t cell);
  /// Requires the cell, and all cells that can only be left out with it. False if the cell is excluded.
  bool take_in(std::uint32_t cell);

  [[nodiscard]] bool is_whole() const { return is_whole_; }
  [[nodiscard]] bool may_hold(std::uint32_t cell) const;
  [[nodiscard]] bool must_hold(std::uint32_t cell) const;

  /// The share of the largest candidate part.
  [[nodiscard]] double share() const;
  /// The share of the largest candidate without a cell; 0 if the cell must be held.
  [[nodiscard]] double share_without(std::uint32_t cell) const;
  /// Adds the costs of leaving out cells that have `rows` rows each.
  void add_steps(std::span<const double> rows, Sides& sides) const;
  /// The largest candidate part; nullopt if it is the whole axis.
  [[nodiscard]] std::optional<geometry::Part> part(std::uint32_t axis) const;

 protected:
  explicit PartChoice(const AxisCells& cells) : cells_(cells) {}

  [[nodiscard]] const AxisCells& cells() const { return cells_; }
  [[nodiscard]] std::uint32_t target() const { return target_; }
  /// Bits from one share of the values' length to a smaller one.
  static double loss_of(double before, double after);

 private:
  // The functions above, restricted to values that are not missing, for a target that is not missing.
  virtual void set_target_value(std::uint32_t /*cell*/) {}
  virtual void start_values() = 0;
  virtual void leave_out_value(std::uint32_t cell) = 0;
  virtual void take_in_value(std::uint32_t cell) = 0;
  [[nodiscard]] virtual bool may_hold_value(std::uint32_t cell) const = 0;
  [[nodiscard]] virtual bool must_hold_value(std::uint32_t cell) const = 0;
  [[nodiscard]] virtual double share_of_values() const = 0;
  [[nodiscard]] virtual double share_without_value(std::uint32_t cell) const = 0;
  virtual void add_value_steps(std::span<const double> rows, Sides& sides) const = 0;
  virtual void describe(geometry::Part& part) const = 0;

  [[nodiscard]] bool is_target_missing() const { return target_ == cells_.missing(); }
  [[nodiscard]] double share_beside_missing(double share_of_values) const;

  const AxisCells& cells_;
  std::uint32_t target_ = 0;
  /// Whether the part may be the whole axis including missing values, and whether it must be.
  bool is_whole_ = true;
  bool must_be_whole_ = false;
};

/// Choices for ordered axes, circles and categories; `cells` must outlive them.
std::unique_ptr<PartChoice> choose_run(const AxisCells& cells);
std::unique_ptr<PartChoice> choose_arc(const AxisCells& cells);
std::unique_ptr<PartChoice> choose_branch(const AxisCells& cells);

/// The choice for the kind of axis; `cells` must outlive it.
std::unique_ptr<PartChoice> make_choice(const AxisCells& cells);

}  // namespace pidforest::exact
