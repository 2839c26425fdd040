// SPDX-License-Identifier: Apache-2.0
#include "reasons/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "forest/row_block.h"
#include "reasons/places.h"
#include "system/parallel.h"

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

void Neighbours::add(const forest::Rows& rows, const Run& run) {
  constexpr std::size_t task_rows = 16 * forest::block_rows;
  const std::size_t n_tasks = (rows.n + task_rows - 1) / task_rows;
  std::vector<Neighbours> by_worker(system::threads_for(run, n_tasks), *this);
  system::parallel_for(n_tasks, run, "counting witnesses", [&](std::size_t task, unsigned worker) {
    const std::size_t task_end = std::min((task + 1) * task_rows, rows.n);
    for (std::size_t begin = task * task_rows; begin < task_end; begin += forest::block_rows)
      by_worker[worker].add_block(rows, begin, std::min(forest::block_rows, task_end - begin));
  });
  for (const Neighbours& own : by_worker) merge(own);
}

/// Few enough rows for all of their values to stay in the cache.
void Neighbours::add_block(const forest::Rows& rows, std::size_t begin, std::size_t n) {
  std::array<double, forest::block_rows> values{};
  std::array<std::int64_t, forest::block_rows> places{};
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    if (axes_[axis].bounds.empty()) continue;
    for (std::size_t i = 0; i < n; ++i) values[i] = rows.columns[axis][begin + i];
    find_places(axes_[axis].bounds, values, places);
    for (std::size_t i = 0; i < n; ++i) {
      Cell& cell = axes_[axis].cells[static_cast<std::size_t>(places[i])];
      if (cell.least <= values[i] && values[i] <= cell.largest) continue;
      add_to_cell(values[i], cell, axes_[axis]);
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

void Neighbours::add_value(double x, Axis& axis) { add_to_cell(x, axis.cells[place_of(axis.bounds, x)], axis); }

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
