// SPDX-License-Identifier: Apache-2.0
#include "reasons/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "system/parallel.h"

namespace pidforest::reasons {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The number of bounds that are not above x; without a branch that depends on x.
std::size_t place_of(std::span<const double> bounds, double x) {
  const double* first = bounds.data();
  std::size_t n = bounds.size();
  while (n > 1) {
    const std::size_t half = n / 2;
    first += first[half - 1] <= x ? half : 0;
    n -= half;
  }
  return static_cast<std::size_t>(first - bounds.data()) + (n == 1 && *first <= x ? 1 : 0);
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

void Neighbours::add(const forest::Rows& rows, const Run& run) {
  system::parallel_for(axes_.size(), run, "counting witnesses", [&](std::size_t axis, unsigned) {
    if (axes_[axis].bounds.empty()) return;
    for (std::size_t row = 0; row < rows.n; ++row) add_value(rows.columns[axis][row], axes_[axis]);
  });
}

void Neighbours::add_value(double x, Axis& axis) {
  if (std::isnan(x)) {
    axis.has_missing = true;
    return;
  }
  Cell& cell = axis.cells[place_of(axis.bounds, x)];
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
