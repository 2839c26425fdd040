// SPDX-License-Identifier: Apache-2.0
#include "model/roots.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/category_axis.h"
#include "geometry/cyclic_axis.h"
#include "geometry/ordered_axis.h"
#include "table/column_ranges.h"

namespace pidforest::model {

using geometry::Interval;

namespace {

/// Half the gap between two neighbouring values; works even if their difference overflows.
double half_gap(double lower, double upper) { return upper / 2 - lower / 2; }

/// Widens the interval by half a gap at both ends.
Interval half_a_gap_beyond(const Interval& interval, const table::NextValues& next) {
  constexpr double farthest = std::numeric_limits<double>::max();
  return {std::max(interval.low - half_gap(interval.low, next.after_least), -farthest),
          std::min(interval.high + half_gap(next.before_largest, interval.high), farthest), interval.missing_share};
}

/// Returns the root interval of an axis with more than one value.
Interval root_interval(const schema::AxisInfo& info, const table::ColumnRange& range) {
  const auto n_cells = static_cast<double>(info.n_cells);
  if (info.kind == geometry::AxisKind::category)
    return {.low = 0, .high = n_cells, .branches = {{0, static_cast<std::uint32_t>(info.n_cells)}}};
  if (info.kind == geometry::AxisKind::cyclic) return {0, info.period};
  if (info.n_cells > 0) return {std::min(0.0, std::floor(range.least)), std::max(n_cells, std::ceil(range.largest))};
  if (!info.range) return {range.least, range.largest};
  return {std::min(info.range->first, range.least), std::max(info.range->second, range.largest)};
}

std::unique_ptr<const geometry::Axis> make_axis(const schema::AxisInfo& info) {
  if (info.kind == geometry::AxisKind::category)
    return std::make_unique<geometry::CategoryAxis>(static_cast<std::uint32_t>(info.n_cells), info.parents);
  if (info.kind == geometry::AxisKind::cyclic)
    return std::make_unique<geometry::CyclicAxis>(info.period, info.n_cells > 0);
  return std::make_unique<geometry::OrderedAxis>(info.n_cells > 0);
}

bool is_plain_numbers(const schema::AxisInfo& info) {
  return info.kind == geometry::AxisKind::ordered && info.n_cells == 0 && !info.range;
}

/// The names of all views, in the order in which columns name them.
std::vector<std::string> view_names(const Schema& schema) {
  std::vector<std::string> names;
  for (const ColumnSchema& column : schema.columns)
    for (const std::string& name : column.views)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

/// Finds the values next to the ends of each axis.
std::vector<table::NextValues> find_next_values(const schema::EncodedBatches& encoded,
                                                const std::vector<table::ColumnRange>& ranges, const Run& run) {
  std::vector<table::NextValues> next;
  for (const table::ColumnRange& range : ranges) next.push_back(table::next_values(range));
  encoded.for_each(run, [&](const Table& batch, std::size_t, const Run&) {
    for (std::size_t j = 0; j < ranges.size(); ++j) table::widen_next_values(batch, j, ranges[j], next[j]);
  });
  return next;
}

/// Returns the interval of an axis in the root cube.
Interval interval_of(const schema::AxisInfo& info, const table::ColumnRange& range,
                     const geometry::IsolatedParts& isolated, std::size_t n_rows) {
  // An axis with a single value is a point, whatever its column is.
  const bool is_point = range.least == range.largest;
  Interval interval = is_point && !info.range ? Interval{range.least, range.largest} : root_interval(info, range);
  // Levels in isolated parts are outside of the root cube.
  if (!is_point && info.n_cells > 0 && std::isfinite(isolated.core_low())) interval.low = std::floor(range.least);
  if (!is_point && info.n_cells > 0 && std::isfinite(isolated.core_high()))
    interval.high = std::floor(range.largest) + 1;
  interval.missing_share =
      info.missing_share.value_or(static_cast<double>(range.n_missing) / static_cast<double>(n_rows));
  return interval;
}

/// The smallest cube that holds some root cubes.
forest::Root hull_of(std::span<const forest::Root> roots, std::span<const schema::AxisInfo> infos) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  forest::Root hull;
  for (std::size_t axis = 0; axis < infos.size(); ++axis) {
    Interval& whole = hull.emplace_back(Interval{.low = infinity, .high = -infinity});
    for (const forest::Root& root : roots) {
      if (std::isinf(root[axis].high)) continue;
      whole.low = std::min(whole.low, root[axis].low);
      whole.high = std::max(whole.high, root[axis].high);
      whole.missing_share = std::max(whole.missing_share, root[axis].missing_share);
      whole.bits_off = root[axis].bits_off;
    }
    if (whole.low < whole.high) whole.bits_off.reset();
    if (whole.low == whole.high || infos[axis].kind == geometry::AxisKind::ordered) continue;
    const double missing_share = whole.missing_share;
    whole = root_interval(infos[axis], {});
    whole.missing_share = missing_share;
  }
  return hull;
}

/// The range without isolated values.
table::ColumnRange core_of(table::ColumnRange range, const geometry::IsolatedParts& isolated) {
  range.least = std::max(range.least, isolated.core_low());
  range.largest = std::min(range.largest, isolated.core_high());
  return range;
}

}  // namespace

geometry::AxisKind kind_of(const schema::AxisInfo& info, const Interval& interval) {
  return interval.low == interval.high ? geometry::AxisKind::ordered : info.kind;
}

std::vector<table::ColumnRange> axis_ranges(const Table& encoded, const Run& run, OuterSurvey& outer) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<table::ColumnRange> ranges = outer.add(encoded, run);
  for (std::size_t j = 0; j < ranges.size(); ++j)
    if (ranges[j].least == -infinity || ranges[j].largest == infinity) table::refuse_infinite(encoded, j);
  return ranges;
}

std::vector<forest::View> views_of(const schema::Encoder& encoder, std::span<const std::size_t> axis_order) {
  std::vector<forest::View> views;
  for (const std::string& name : view_names(encoder.schema())) {
    forest::View view;
    for (std::uint32_t axis = 0; axis < axis_order.size(); ++axis) {
      const ColumnSchema& column = encoder.schema().columns[encoder.axes()[axis_order[axis]].column];
      if (column.views.empty() || std::ranges::find(column.views, name) != column.views.end()) view.push_back(axis);
    }
    if (!view.empty()) views.push_back(std::move(view));
  }
  return views;
}

void widen_axis_ranges(const Table& encoded, const Run& run, std::vector<table::ColumnRange>& ranges) {
  OuterSurvey only_ranges;
  const std::vector<table::ColumnRange> found = axis_ranges(encoded, run, only_ranges);
  for (std::size_t j = 0; j < ranges.size(); ++j) ranges[j].merge(found[j]);
}

Roots make_roots(std::span<const schema::AxisInfo> infos, std::span<const table::ColumnRange> ranges,
                 std::span<const table::NextValues> next, std::size_t n_rows,
                 std::span<const geometry::IsolatedParts> isolated) {
  Roots roots;
  for (const bool varying : {true, false})
    for (std::size_t j = 0; j < ranges.size(); ++j) {
      const geometry::IsolatedParts parts = isolated.empty() ? geometry::IsolatedParts() : isolated[j];
      const table::ColumnRange range = core_of(ranges[j], parts);
      if (range.n_missing == n_rows || range.varies() != varying) continue;
      const schema::AxisInfo& info = infos[j];
      const Interval interval = interval_of(info, range, parts, n_rows);
      const bool is_point = range.least == range.largest;
      const bool has_half_gap = !next.empty() && is_plain_numbers(info) && !parts.has_rows();
      roots.axis_order.push_back(j);
      roots.axes.push_back(is_point ? std::make_unique<geometry::OrderedAxis>(false) : make_axis(info));
      roots.intervals.push_back(has_half_gap ? half_a_gap_beyond(interval, next[j]) : interval);
      roots.isolated.push_back(parts);
    }
  if (std::ranges::all_of(roots.isolated, &geometry::IsolatedParts::empty)) roots.isolated.clear();
  return roots;
}

forest::Forest forest_of(std::vector<forest::Root> own_roots, std::vector<forest::Tree> trees,
                         std::span<const schema::AxisInfo> infos) {
  forest::Forest forest{
      .root = hull_of(own_roots, infos), .own_roots = std::move(own_roots), .trees = std::move(trees)};
  const auto is_whole = [&](const forest::Root& root) { return root == forest.root; };
  if (std::ranges::all_of(forest.own_roots, is_whole)) forest.own_roots.clear();
  return forest;
}

Roots find_roots(const schema::EncodedBatches& encoded, const std::vector<table::ColumnRange>& ranges,
                 const Options& options, const Run& run, std::span<const geometry::IsolatedParts> isolated) {
  std::vector<table::NextValues> next;
  if (options.root_interval == RootInterval::half_gap) next = find_next_values(encoded, ranges, run);
  return make_roots(encoded.axes(), ranges, next, encoded.n_rows(), isolated);
}

}  // namespace pidforest::model
