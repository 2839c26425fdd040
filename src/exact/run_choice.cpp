// SPDX-License-Identifier: Apache-2.0
// The part of an ordered axis in a search: a run of cells around the target cell.
// Declared in exact/part_choice.h.
#include <algorithm>

#include "exact/part_choice.h"

namespace pidforest::exact {

namespace {

class RunChoice final : public PartChoice {
 public:
  explicit RunChoice(const AxisCells& cells) : PartChoice(cells) {}

 private:
  void start_values() override {
    first_ = 0;
    last_ = cells().n_values - 1;
    inner_first_ = inner_last_ = target();
  }
  void leave_out_value(std::uint32_t cell) override {
    if (cell < target())
      first_ = std::max(first_, cell + 1);
    else
      last_ = std::min(last_, cell - 1);
  }
  void take_in_value(std::uint32_t cell) override {
    inner_first_ = std::min(inner_first_, cell);
    inner_last_ = std::max(inner_last_, cell);
  }
  [[nodiscard]] bool may_hold_value(std::uint32_t cell) const override { return first_ <= cell && cell <= last_; }
  [[nodiscard]] bool must_hold_value(std::uint32_t cell) const override {
    return inner_first_ <= cell && cell <= inner_last_;
  }
  [[nodiscard]] double share_of_values() const override { return share_of_run(first_, last_); }
  [[nodiscard]] double share_without_value(std::uint32_t cell) const override {
    return cell < target() ? share_of_run(cell + 1, last_) : share_of_run(first_, cell - 1);
  }
  void add_value_steps(std::span<const double> rows, Sides& sides) const override {
    const double share = share_of_values();
    double left_out = 0;
    const auto add = [&](std::uint32_t cell) {
      if (rows[cell] == 0) return;
      left_out += rows[cell];
      sides.steps.push_back({left_out, loss_of(share, share_without_value(cell)), cell});
    };
    for (std::uint32_t cell = first_; cell < inner_first_; ++cell) add(cell);
    sides.end_side();
    left_out = 0;
    for (std::uint32_t cell = last_; cell > inner_last_; --cell) add(cell);
    sides.end_side();
  }
  void describe(geometry::Part& part) const override {
    if (first_ > 0) part.low = cells().after[first_ - 1];
    if (last_ + 1 < cells().n_values) part.high = cells().before[last_ + 1];
  }

  [[nodiscard]] double share_of_run(std::uint32_t first, std::uint32_t last) const {
    const geometry::Interval& root = cells().root;
    const double low = first > 0 ? cells().after[first - 1] : root.low;
    const double high = last + 1 < cells().n_values ? cells().before[last + 1] : root.high;
    return geometry::share_of(low, high, root);
  }

  /// The cells that the part may hold and those that it must hold.
  std::uint32_t first_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t inner_first_ = 0;
  std::uint32_t inner_last_ = 0;
};

}  // namespace

std::unique_ptr<PartChoice> choose_run(const AxisCells& cells) { return std::make_unique<RunChoice>(cells); }

}  // namespace pidforest::exact
