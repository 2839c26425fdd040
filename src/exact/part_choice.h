// SPDX-License-Identifier: Apache-2.0
// What the part of one axis may still be in a search: between the cells that it must hold and those that it may hold.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exact/axis_cells.h"
#include "geometry/part.h"

namespace pidforest::exact {

/// Leaving out rows at one end of what an axis may hold: with those of the steps before it on the same side, so many
/// rows for so many bits of volume. The bits are at most what it costs, whatever else is left out.
struct Step {
  double rows = 0;
  double loss = 0;
  /// The cell to leave out for it, and what that takes with it; `no_cell` where no single one is all of it.
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

  /// Whose part it is: of a row in this cell.
  void set_target(std::uint32_t cell);
  /// Anything that holds the target.
  void start();

  /// The part must not hold the cell, and so not what can only be held with it. False if it must hold it.
  bool leave_out(std::uint32_t cell);
  /// The part must hold the cell, and so what can only be left out with it. False if it must not.
  bool take_in(std::uint32_t cell);

  [[nodiscard]] bool is_whole() const { return is_whole_; }
  [[nodiscard]] bool may_hold(std::uint32_t cell) const;
  [[nodiscard]] bool must_hold(std::uint32_t cell) const;

  /// The length of the largest part there may be.
  [[nodiscard]] double share() const;
  /// The same without a cell that it may hold; 0 if it must hold it.
  [[nodiscard]] double share_without(std::uint32_t cell) const;
  /// What leaving out costs, with `rows` in each cell.
  void add_steps(std::span<const double> rows, Sides& sides) const;
  /// The largest part there may be; nothing if that is the whole axis.
  [[nodiscard]] std::optional<geometry::Part> part(std::uint32_t axis) const;

 protected:
  explicit PartChoice(const AxisCells& cells) : cells_(cells) {}

  [[nodiscard]] const AxisCells& cells() const { return cells_; }
  [[nodiscard]] std::uint32_t target() const { return target_; }
  /// Bits from one share of the values' length to a smaller one.
  static double loss_of(double before, double after);

 private:
  // The same among the values that are not missing, for a target that is not missing.
  virtual void set_target_value(std::uint32_t /*cell*/) {}
  virtual void start_values() = 0;
  virtual bool leave_out_value(std::uint32_t cell) = 0;
  virtual bool take_in_value(std::uint32_t cell) = 0;
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
  /// Whether the part may be the whole axis, values and missing ones; whether it must be.
  bool is_whole_ = true;
  bool must_be_whole_ = false;
};

/// The choice for the kind of axis; `cells` must outlive it.
std::unique_ptr<PartChoice> make_choice(const AxisCells& cells);

}  // namespace pidforest::exact
