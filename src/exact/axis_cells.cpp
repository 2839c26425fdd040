// SPDX-License-Identifier: Apache-2.0
#include "exact/axis_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/ordered_axis.h"

namespace pidforest::exact {

using geometry::AxisKind;

namespace {

/// The distinct values, increasing.
std::vector<double> distinct(std::span<const double> values) {
  std::vector<double> found;
  for (const double x : values)
    if (!std::isnan(x)) found.push_back(x);
  std::ranges::sort(found);
  const auto rest = std::ranges::unique(found);
  found.erase(rest.begin(), rest.end());
  return found;
}

/// The border halfway from each value to the next; from the last to the first around a circle of this length.
std::vector<double> halfway_borders(const std::vector<double>& found, double period) {
  std::vector<double> borders;
  for (std::size_t i = 0; i + 1 < found.size(); ++i)
    borders.push_back(geometry::border_between(found[i], found[i + 1]));
  const double last = geometry::border_between(found.back(), found.front() + period);
  borders.push_back(last < period ? last : last - period);
  return borders;
}

/// Where parts end that leave a cell out.
void set_ends(const std::vector<double>& found, bool has_cells, IntervalEnds ends, AxisCells& cells) {
  if (!has_cells && ends == IntervalEnds::halfway) {
    cells.after = halfway_borders(found, cells.root.high);
    cells.before = cells.after;
    std::ranges::rotate(cells.before, cells.before.end() - 1);
    return;
  }
  for (const double x : found) {
    const double after = has_cells ? std::floor(x) + 1 : std::nextafter(x, std::numeric_limits<double>::infinity());
    const bool is_around = cells.kind == AxisKind::cyclic && after >= cells.root.high;
    cells.after.push_back(is_around ? 0 : after);
    cells.before.push_back(has_cells ? std::floor(x) : x);
  }
}

void set_values(const std::vector<double>& found, std::span<const double> values, AxisCells& cells) {
  cells.n_values = static_cast<std::uint32_t>(found.size());
  for (const double x : values) {
    const auto place = std::ranges::lower_bound(found, x) - found.begin();
    cells.of_row.push_back(std::isnan(x) ? cells.missing() : static_cast<std::uint32_t>(place));
  }
}

void set_levels(const schema::AxisInfo& info, std::span<const double> values, AxisCells& cells) {
  cells.n_values = static_cast<std::uint32_t>(info.n_cells);
  cells.parents = info.parents;
  if (cells.parents.empty()) cells.parents.assign(info.n_cells + 1, cells.n_values);
  for (const double x : values) cells.of_row.push_back(std::isnan(x) ? cells.missing() : static_cast<std::uint32_t>(x));
}

}  // namespace

AxisCells cells_of(const schema::AxisInfo& info, const geometry::Interval& root, std::span<const double> values,
                   IntervalEnds ends) {
  const std::vector<double> found = distinct(values);
  // An axis with a single value is a point, whatever its column is.
  AxisCells cells{.kind = found.size() == 1 ? AxisKind::ordered : info.kind, .root = root};
  if (cells.kind == AxisKind::category) {
    set_levels(info, values, cells);
  } else {
    set_ends(found, info.n_cells > 0, ends, cells);
    set_values(found, values, cells);
  }
  return cells;
}

}  // namespace pidforest::exact
