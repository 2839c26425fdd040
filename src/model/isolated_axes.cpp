// SPDX-License-Identifier: Apache-2.0
#include "model/isolated_axes.h"

#include <algorithm>

namespace pidforest::model {

using geometry::IsolatedPart;
using geometry::IsolatedParts;

namespace {

double median_of(std::span<const double> sorted) { return sorted.empty() ? 0 : sorted[sorted.size() / 2]; }

geometry::SampledLevels sampled_levels(std::span<const double> codes, std::size_t n_levels) {
  std::vector<std::size_t> n_rows(n_levels + 1);
  for (const double code : codes) ++n_rows[std::min(static_cast<std::size_t>(code), n_levels)];
  return {.n_rows = codes.size(), .n_once = static_cast<std::size_t>(std::ranges::count(n_rows, 1U))};
}

void drop_declared(const schema::AxisInfo& info, IsolatedParts& parts) {
  if (!info.range) return;
  std::erase_if(parts.below, [&](const IsolatedPart& part) { return part.inner > info.range->first; });
  std::erase_if(parts.above, [&](const IsolatedPart& part) { return part.inner < info.range->second; });
}

}  // namespace

std::vector<IsolatedParts> find_isolated_axes(const SurveyedAxes& facts, const forest::SortedRows& sample) {
  const auto n_axes = static_cast<std::size_t>(std::ranges::count_if(facts.ranges, &table::ColumnRange::varies));
  std::vector<IsolatedParts> isolated(facts.infos.size());
  for (std::size_t axis = 0; axis < isolated.size(); ++axis) {
    const schema::AxisInfo& info = facts.infos[axis];
    const table::ColumnRange& range = facts.ranges[axis];
    const std::uint64_t n_present = facts.n_rows - range.n_missing;
    const bool varies = range.least < range.largest;  // any other value of a constant is as sparse as possible
    if (varies && info.kind == geometry::AxisKind::ordered) {
      isolated[axis] = geometry::find_isolated({.lowest = facts.outer.lowest(axis),
                                                .highest = facts.outer.highest(axis),
                                                .n_present = n_present,
                                                .median = median_of(sample.sorted[axis]),
                                                .is_line = info.n_cells == 0},
                                               n_axes);
      drop_declared(info, isolated[axis]);
    } else if (varies && info.kind == geometry::AxisKind::category && info.parents.empty()) {
      geometry::isolate_unseen(info.n_cells, n_present, sampled_levels(sample.sorted[axis], info.n_cells), n_axes,
                               isolated[axis]);
    }
    geometry::isolate_missing(range.n_missing, facts.n_rows, n_axes, isolated[axis]);
  }
  return isolated;
}

}  // namespace pidforest::model
