// SPDX-License-Identifier: Apache-2.0
#include "exact/part_choice.h"

#include "geometry/logarithm.h"

namespace pidforest::exact {

void PartChoice::set_target(std::uint32_t cell) {
  target_ = cell;
  if (!is_target_missing()) set_target_value(cell);
}

void PartChoice::start() {
  is_whole_ = true;
  must_be_whole_ = false;
  if (!is_target_missing()) start_values();
}

bool PartChoice::leave_out(std::uint32_t cell) {
  if (must_hold(cell)) return false;
  is_whole_ = false;
  if (!is_target_missing() && cell != cells_.missing()) leave_out_value(cell);
  return true;
}

bool PartChoice::take_in(std::uint32_t cell) {
  if (!may_hold(cell)) return false;
  if (is_target_missing() != (cell == cells_.missing())) must_be_whole_ = true;
  if (!is_target_missing() && cell != cells_.missing()) take_in_value(cell);
  return true;
}

bool PartChoice::may_hold(std::uint32_t cell) const {
  if (is_whole_) return true;
  if (is_target_missing() || cell == cells_.missing()) return is_target_missing() && cell == cells_.missing();
  return may_hold_value(cell);
}

bool PartChoice::must_hold(std::uint32_t cell) const {
  if (must_be_whole_) return true;
  if (is_target_missing() || cell == cells_.missing()) return is_target_missing() && cell == cells_.missing();
  return must_hold_value(cell);
}

double PartChoice::share_beside_missing(double share_of_values) const {
  return geometry::floored_share((1 - cells_.root.missing_share) * share_of_values);
}

double PartChoice::share() const {
  if (is_whole_) return 1;
  if (is_target_missing()) return geometry::floored_share(cells_.root.missing_share);
  return share_beside_missing(share_of_values());
}

double PartChoice::share_without(std::uint32_t cell) const {
  if (must_hold(cell)) return 0;
  if (is_target_missing()) return geometry::floored_share(cells_.root.missing_share);
  return share_beside_missing(cell == cells_.missing() ? share_of_values() : share_without_value(cell));
}

void PartChoice::add_steps(std::span<const double> rows, Sides& sides) const {
  if (must_be_whole_) return;
  if (!is_target_missing()) add_value_steps(rows, sides);
  if (!is_whole_) return;
  Step step{.loss = loss_of(1, is_target_missing() ? cells_.root.missing_share : 1 - cells_.root.missing_share),
            .cell = cells_.missing()};
  if (is_target_missing()) {
    for (std::uint32_t cell = 0; cell < cells_.n_values; ++cell)
      if (rows[cell] > 0) step = {step.rows + rows[cell], step.loss, cell};
  } else {
    step.rows = rows[cells_.missing()];
  }
  if (step.rows > 0) sides.steps.push_back(step);
  sides.end_side();
}

std::optional<geometry::Part> PartChoice::part(std::uint32_t axis) const {
  if (is_whole_) return std::nullopt;
  geometry::Part part{.axis = axis, .kind = cells_.kind, .is_missing = is_target_missing()};
  if (!is_target_missing()) describe(part);
  return part;
}

double PartChoice::loss_of(double before, double after) {
  return geometry::portable_log2(geometry::floored_share(before) / geometry::floored_share(after));
}

std::unique_ptr<PartChoice> make_choice(const AxisCells& cells) {
  if (cells.kind == geometry::AxisKind::category) return choose_branch(cells);
  if (cells.kind == geometry::AxisKind::cyclic) return choose_arc(cells);
  return choose_run(cells);
}

}  // namespace pidforest::exact
