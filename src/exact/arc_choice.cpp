// SPDX-License-Identifier: Apache-2.0
// The part of a circle in a search: an arc around the target's cell, or the whole circle.
// Declared in exact/part_choice.h.
#include <algorithm>

#include "exact/part_choice.h"

namespace pidforest::exact {

namespace {

/// Places number the cells around the circle from the target's cell, which is 0. An arc leaves out a run of consecutive
/// places.
class ArcChoice final : public PartChoice {
 public:
  explicit ArcChoice(const AxisCells& cells) : PartChoice(cells) {}

 private:
  void start_values() override {
    first_out_ = 1;
    last_out_ = 0;
    inner_last_ = 0;
    inner_first_ = cells().n_values;
    taken_in_.clear();
  }
  void leave_out_value(std::uint32_t cell) override {
    const std::uint32_t place = place_of(cell);
    first_out_ = is_open() ? std::min(first_out_, place) : place;
    last_out_ = std::max(last_out_, place);
    // Now it is known from which side the cells are reached that must be held.
    for (const std::uint32_t held : taken_in_) take_in_value(cell_at(held));
    taken_in_.clear();
  }
  void take_in_value(std::uint32_t cell) override {
    const std::uint32_t place = place_of(cell);
    if (!is_open())
      taken_in_.push_back(place);
    else if (place < first_out_)
      inner_last_ = std::max(inner_last_, place);
    else
      inner_first_ = std::min(inner_first_, place);
  }
  [[nodiscard]] bool may_hold_value(std::uint32_t cell) const override {
    const std::uint32_t place = place_of(cell);
    return place < first_out_ || place > last_out_;
  }
  [[nodiscard]] bool must_hold_value(std::uint32_t cell) const override {
    const std::uint32_t place = place_of(cell);
    return place <= inner_last_ || place >= inner_first_ || std::ranges::find(taken_in_, place) != taken_in_.end();
  }
  [[nodiscard]] double share_of_values() const override { return is_open() ? share_beside(first_out_, last_out_) : 1; }
  [[nodiscard]] double share_without_value(std::uint32_t cell) const override {
    const std::uint32_t place = place_of(cell);
    return is_open() ? share_beside(std::min(first_out_, place), std::max(last_out_, place))
                     : share_beside(place, place);
  }
  void add_value_steps(std::span<const double> rows, Sides& sides) const override {
    const double share = share_of_values();
    double left_out = 0;
    const auto add = [&](std::uint32_t place) {
      const std::uint32_t cell = cell_at(place);
      if (rows[cell] == 0) return;
      left_out += rows[cell];
      sides.steps.push_back({left_out, loss_of(share, share_without_value(cell)), cell});
    };
    if (is_open()) {
      for (std::uint32_t place = first_out_ - 1; place > inner_last_; --place) add(place);
      sides.end_side();
      left_out = 0;
      for (std::uint32_t place = last_out_ + 1; place < inner_first_; ++place) add(place);
      sides.end_side();
      return;
    }
    // The lengths of the cells add up to at most that of an arc of them, and so do the bits.
    for (std::uint32_t place = 1; place < cells().n_values; ++place) {
      if (must_hold_value(cell_at(place))) continue;
      left_out = 0;
      add(place);
      sides.end_side();
    }
  }
  void describe(geometry::Part& part) const override {
    part.low = is_open() ? cells().after[cell_at(last_out_)] : 0;
    part.high = is_open() ? cells().before[cell_at(first_out_)] : 0;
  }

  [[nodiscard]] bool is_open() const { return first_out_ <= last_out_; }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t cell) const {
    return cell >= target() ? cell - target() : cell + cells().n_values - target();
  }
  [[nodiscard]] std::uint32_t cell_at(std::uint32_t place) const { return (place + target()) % cells().n_values; }
  /// The share of the arc that leaves out these places.
  [[nodiscard]] double share_beside(std::uint32_t first_out, std::uint32_t last_out) const {
    const double period = cells().root.high;
    const double length = cells().before[cell_at(first_out)] - cells().after[cell_at(last_out)];
    return (length > 0 ? length : length + period) / period;
  }

  /// The places that are left out; none if the last comes before the first.
  std::uint32_t first_out_ = 1;
  std::uint32_t last_out_ = 0;
  /// The places that must be held: up to the first number, and from the second one on.
  std::uint32_t inner_last_ = 0;
  std::uint32_t inner_first_ = 0;
  /// Places that must be held while the circle is whole, when it is open from which side they will be reached.
  std::vector<std::uint32_t> taken_in_;
};

}  // namespace

std::unique_ptr<PartChoice> choose_arc(const AxisCells& cells) { return std::make_unique<ArcChoice>(cells); }

}  // namespace pidforest::exact
