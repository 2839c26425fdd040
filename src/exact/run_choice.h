// SPDX-License-Identifier: Apache-2.0
// The part of an ordered axis in a search: a run of cells around the target cell.
#pragma once

#include "exact/part_choice.h"

namespace pidforest::exact {

class RunChoice final : public PartChoice {
 public:
  explicit RunChoice(const AxisCells& cells) : PartChoice(cells) {}

 private:
  void start_values() override;
  bool leave_out_value(std::uint32_t cell) override;
  bool take_in_value(std::uint32_t cell) override;
  [[nodiscard]] bool may_hold_value(std::uint32_t cell) const override { return first_ <= cell && cell <= last_; }
  [[nodiscard]] bool must_hold_value(std::uint32_t cell) const override {
    return inner_first_ <= cell && cell <= inner_last_;
  }
  [[nodiscard]] double share_of_values() const override { return share_of_run(first_, last_); }
  [[nodiscard]] double share_without_value(std::uint32_t cell) const override;
  void add_value_steps(std::span<const double> rows, Sides& sides) const override;
  void describe(geometry::Part& part) const override;

  [[nodiscard]] double share_of_run(std::uint32_t first, std::uint32_t last) const;

  /// The cells that the part may hold and those that it must hold.
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t inner_first_ = 0;
  std::uint32_t inner_last_ = 0;
};

}  // namespace pidforest::exact
