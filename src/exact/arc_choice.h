// SPDX-License-Identifier: Apache-2.0
// The part of a circle in a search: an arc around the target's cell, or the whole circle.
#pragma once

#include "exact/part_choice.h"

namespace pidforest::exact {

/// Cells are numbered around the circle from the target's cell, which is 0. An arc leaves out a run of consecutive
/// cells.
class ArcChoice final : public PartChoice {
 public:
  explicit ArcChoice(const AxisCells& cells) : PartChoice(cells) {}

 private:
  void start_values() override;
  bool leave_out_value(std::uint32_t cell) override;
  bool take_in_value(std::uint32_t cell) override;
  [[nodiscard]] bool may_hold_value(std::uint32_t cell) const override;
  [[nodiscard]] bool must_hold_value(std::uint32_t cell) const override;
  [[nodiscard]] double share_of_values() const override;
  [[nodiscard]] double share_without_value(std::uint32_t cell) const override;
  void add_value_steps(std::span<const double> rows, Sides& sides) const override;
  void describe(geometry::Part& part) const override;

  [[nodiscard]] bool is_open() const { return first_out_ <= last_out_; }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t cell) const;
  [[nodiscard]] std::uint32_t cell_at(std::uint32_t place) const;
  /// The share of the arc that leaves out these places.
  [[nodiscard]] double share_beside(std::uint32_t first_out, std::uint32_t last_out) const;

  /// The cells that are left out; none if the last comes before the first.
  std::uint32_t first_out_ = 1;
  std::uint32_t last_out_ = 0;
  /// The cells that must be held: up to the first number, and from the second one on.
  std::uint32_t inner_last_ = 0;
  std::uint32_t inner_first_ = 0;
  /// Cells that must be held while the circle is whole, when it is open from which side they will be reached.
  std::vector<std::uint32_t> taken_in_;
};

}  // namespace pidforest::exact
