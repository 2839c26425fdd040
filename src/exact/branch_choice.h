// SPDX-License-Identifier: Apache-2.0
// The part of a category in a search: some of the children of one branch, among them the target's. In a flat category,
// any set of levels.
#pragma once

#include "exact/part_choice.h"

namespace pidforest::exact {

/// The branches above the target are its path: place 0 is its level, the last place is the root. A level meets the path
/// at the lowest branch of the path that holds it.
class BranchChoice final : public PartChoice {
 public:
  explicit BranchChoice(const AxisCells& cells);

 private:
  struct Meeting {
    std::uint32_t place = 0;
    std::uint32_t child = 0;
  };

  void set_target_value(std::uint32_t cell) override;
  void start_values() override;
  bool leave_out_value(std::uint32_t cell) override;
  bool take_in_value(std::uint32_t cell) override;
  [[nodiscard]] bool may_hold_value(std::uint32_t cell) const override;
  [[nodiscard]] bool must_hold_value(std::uint32_t cell) const override;
  [[nodiscard]] double share_of_values() const override { return share_of_levels(n_levels_); }
  [[nodiscard]] double share_without_value(std::uint32_t cell) const override;
  void add_value_steps(std::span<const double> rows, Sides& sides) const override;
  void describe(geometry::Part& part) const override;

  void add_children(std::span<const double> rows, Sides& sides) const;
  void add_descent(std::span<const double> rows, Sides& sides) const;
  [[nodiscard]] double share_of_levels(double n) const { return n / cells().n_values; }
  [[nodiscard]] std::uint32_t n_levels_at(std::uint32_t place) const { return n_levels_of_[path_[place]]; }

  /// The number of levels of each branch.
  std::vector<std::uint32_t> n_levels_of_;
  std::vector<std::uint32_t> path_;
  std::vector<Meeting> meetings_;
  /// The place on the path whose children the part may have, how many levels they have, and the children left out.
  std::uint32_t top_ = 0;
  std::uint32_t n_levels_ = 0;
  std::vector<bool> is_out_;
  /// The lowest place whose children the part can be made of, and those of its children that must be held; with more
  /// than one place below it, the target's own child is held as a whole.
  std::uint32_t inner_top_ = 0;
  std::vector<bool> is_in_;
};

}  // namespace pidforest::exact
