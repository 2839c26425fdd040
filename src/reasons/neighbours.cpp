// SPDX-License-Identifier: Apache-2.0
#include "reasons/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pidforest::reasons {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t place_of(std::span<const double> bounds, double x) {
  return static_cast<std::size_t>(std::ranges::upper_bound(bounds, x) - bounds.begin());
}

}  // namespace

Neighbours::Neighbours(std::span<const geometry::Part> parts, std::size_t n_axes) : axes_(n_axes) {
  for (const geometry::Part& part : parts)
    if (part.kind == geometry::AxisKind::ordered) add_ends(part, axes_[part.axis].bounds);
  for (Axis& axis : axes_) {
    std::ranges::sort(axis.bounds);
    const auto repeated = std::ranges::unique(axis.bounds);
    axis.bounds.erase(repeated.begin(), repeated.end());
    axis.cells.assign(axis.bounds.size() + 1, {infinity, -infinity});
  }
}

Neighbours::ReachedBounds Neighbours::reached_bounds(const forest::CodeBook& book) const {
  ReachedBounds reached(axes_.size());
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    reached[axis].push_back(0);
    for (const double cut : book.axis(axis).cuts)
      reached[axis].push_back(static_cast<std::uint32_t>(place_of(axes_[axis].bounds, cut)));
  }
  return reached;
}

void Neighbours::add(const forest::Rows& rows) {
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    for (std::size_t row = 0; row < rows.n && !axes_[axis].bounds.empty(); ++row)
      add_value(axis, rows.columns[axis][row]);
}

/// Most bounds are cuts of the forest, so the code of a value says how many of them it reaches.
void Neighbours::add_block(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin,
                           const ReachedBounds& reached) {
  for (std::size_t number = 0; number < axes_.size(); ++number) {
    Axis& axis = axes_[number];
    const std::size_t n_bounds = axis.bounds.size();
    if (n_bounds == 0) continue;
    const std::uint32_t* codes = block.codes(number).data();
    for (std::size_t i = 0; i < block.n_rows(); ++i) {
      const double x = rows.columns[number][begin + i];
      std::size_t place = reached[number][codes[i]];
      while (place < n_bounds && axis.bounds[place] <= x) ++place;
      Cell& cell = axis.cells[place];
      if (!(cell.least <= x && x <= cell.largest)) add_to_cell(x, cell, axis);
    }
  }
}

void Neighbours::merge(const Neighbours& other) {
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    const Axis& own = other.axes_[axis];
    axes_[axis].has_missing |= own.has_missing;
    for (std::size_t i = 0; i < own.cells.size(); ++i) {
      axes_[axis].cells[i].least = std::min(axes_[axis].cells[i].least, own.cells[i].least);
      axes_[axis].cells[i].largest = std::max(axes_[axis].cells[i].largest, own.cells[i].largest);
    }
  }
}

void Neighbours::add_value(std::size_t axis, double x) {
  add_to_cell(x, axes_[axis].cells[place_of(axes_[axis].bounds, x)], axes_[axis]);
}

void Neighbours::add_to_cell(double x, Cell& cell, Axis& axis) {
  if (std::isnan(x)) {
    axis.has_missing = true;
    return;
  }
  cell.least = x < cell.least ? x + 0.0 : cell.least;  // turns -0 into 0
  cell.largest = x > cell.largest ? x + 0.0 : cell.largest;
}

std::optional<double> Neighbours::below(std::size_t axis, double bound) const {
  const auto& [bounds, cells, has_missing] = axes_[axis];
  for (auto cell = std::ranges::lower_bound(bounds, bound) - bounds.begin(); cell >= 0; --cell)
    if (cells[static_cast<std::size_t>(cell)].largest > -infinity) return cells[static_cast<std::size_t>(cell)].largest;
  return std::nullopt;
}

std::optional<double> Neighbours::above(std::size_t axis, double bound) const {
  const auto& [bounds, cells, has_missing] = axes_[axis];
  for (auto cell = static_cast<std::size_t>(std::ranges::upper_bound(bounds, bound) - bounds.begin());
       cell < cells.size(); ++cell)
    if (cells[cell].least < infinity) return cells[cell].least;
  return std::nullopt;
}

std::optional<double> Neighbours::only_value(std::size_t axis) const {
  Cell all{infinity, -infinity};
  for (const Cell& cell : axes_[axis].cells) {
    all.least = std::min(all.least, cell.least);
    all.largest = std::max(all.largest, cell.largest);
  }
  const bool is_one = all.least == all.largest && !axes_[axis].has_missing;
  return is_one ? std::optional(all.least) : std::nullopt;
}

}  // namespace pidforest::reasons
