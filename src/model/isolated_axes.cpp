// SPDX-License-Identifier: Apache-2.0
#include "model/isolated_axes.h"

#include <algorithm>
#include <cmath>

namespace pidforest::model {

using geometry::IsolatedPart;
using geometry::IsolatedParts;

namespace {

double median_of(const forest::StridedColumn& column, std::span<const std::size_t> places) {
  std::vector<double> values;
  for (const std::size_t row : places)
    if (!std::isnan(column[row])) values.push_back(column[row]);
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void drop_declared(const schema::AxisInfo& info, IsolatedParts& parts) {
  if (!info.range) return;
  std::erase_if(parts.below, [&](const IsolatedPart& part) { return part.inner > info.range->first; });
  std::erase_if(parts.above, [&](const IsolatedPart& part) { return part.inner < info.range->second; });
}

}  // namespace

std::vector<IsolatedParts> find_isolated_axes(const SurveyedAxes& facts, const forest::Rows& rows,
                                              std::span<const std::size_t> places) {
  const auto n_axes = static_cast<std::size_t>(std::ranges::count_if(facts.ranges, &table::ColumnRange::varies));
  std::vector<IsolatedParts> isolated(facts.infos.size());
  for (std::size_t axis = 0; axis < isolated.size(); ++axis) {
    const table::ColumnRange& range = facts.ranges[axis];
    if (facts.infos[axis].kind == geometry::AxisKind::ordered && range.least < range.largest) {
      geometry::OuterValues values{.lowest = facts.outer.lowest(axis),
                                   .highest = facts.outer.highest(axis),
                                   .n_present = facts.n_rows - range.n_missing};
      if (geometry::has_long_gap(values)) {
        values.median = median_of(rows.columns[axis], places);
        isolated[axis] = geometry::find_isolated(values, n_axes);
        drop_declared(facts.infos[axis], isolated[axis]);
      }
    }
    geometry::isolate_missing(range.n_missing, facts.n_rows, n_axes, isolated[axis]);
  }
  return isolated;
}

}  // namespace pidforest::model
