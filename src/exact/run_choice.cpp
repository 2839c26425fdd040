// SPDX-License-Identifier: Apache-2.0
#include "exact/run_choice.h"

#include <algorithm>

namespace pidforest::exact {

void RunChoice::start_values() {
  first_ = 0;
  last_ = cells().n_values - 1;
  inner_first_ = inner_last_ = target();
}

bool RunChoice::leave_out_value(std::uint32_t cell) {
  if (cell < target())
    first_ = std::max(first_, cell + 1);
  else
    last_ = std::min(last_, cell - 1);
  return true;
}

bool RunChoice::take_in_value(std::uint32_t cell) {
  inner_first_ = std::min(inner_first_, cell);
  inner_last_ = std::max(inner_last_, cell);
  return true;
}

double RunChoice::share_without_value(std::uint32_t cell) const {
  return cell < target() ? share_of_run(cell + 1, last_) : share_of_run(first_, cell - 1);
}

void RunChoice::add_value_steps(std::span<const double> rows, Sides& sides) const {
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

void RunChoice::describe(geometry::Part& part) const {
  if (first_ > 0) part.low = cells().after[first_ - 1];
  if (last_ + 1 < cells().n_values) part.high = cells().before[last_ + 1];
}

double RunChoice::share_of_run(std::uint32_t first, std::uint32_t last) const {
  const geometry::Interval& root = cells().root;
  const double low = first > 0 ? cells().after[first - 1] : root.low;
  const double high = last + 1 < cells().n_values ? cells().before[last + 1] : root.high;
  return geometry::share_of(low, high, root);
}

}  // namespace pidforest::exact
