// SPDX-License-Identifier: Apache-2.0
#include "model/profile.h"

#include <algorithm>
#include <cmath>

#include "reasons/reasons.h"

namespace pidforest::model {

namespace {

/// The distinct quantiles at even steps, without the smallest value.
std::vector<double> borders_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<double> borders;
  for (std::size_t bin = 1; bin < most_bins && !values.empty(); ++bin) {
    const double border = values[bin * values.size() / most_bins];
    if (std::isfinite(border) && border > (borders.empty() ? values.front() : borders.back()))
      borders.push_back(border);
  }
  return borders;
}

}  // namespace

void add_axis(const forest::StridedColumn& values, std::size_t n_rows, AxisProfile& profile, bool is_category) {
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double x = values[row];
    if (std::isnan(x)) {
      ++profile.n_missing;
      continue;
    }
    if (profile.counts.empty()) continue;
    const std::size_t bin =
        is_category ? std::min(static_cast<std::size_t>(x), profile.counts.size() - 1)
                    : static_cast<std::size_t>(std::ranges::upper_bound(profile.borders, x) - profile.borders.begin());
    ++profile.counts[bin];
  }
}

Profile profile_of(const forest::ChosenRows& chosen, std::span<const schema::AxisInfo> axes,
                   std::span<const std::size_t> axis_order) {
  const forest::CopiedRows sample(chosen.rows, chosen.places_of(reasons::reason_sample(chosen.n_rows)));
  Profile profile{.n_rows = sample.rows().n};
  for (std::size_t axis = 0; axis < axis_order.size(); ++axis) {
    const schema::AxisInfo& info = axes[axis_order[axis]];
    const forest::StridedColumn& column = sample.rows().columns[axis];
    const bool is_category = info.kind == geometry::AxisKind::category;
    AxisProfile own;
    if (is_category) {
      if (info.n_cells <= most_binned_levels) own.counts.assign(info.n_cells + 1, 0);
    } else {
      std::vector<double> values;
      for (std::size_t row = 0; row < sample.rows().n; ++row)
        if (!std::isnan(column[row])) values.push_back(column[row]);
      own.borders = borders_of(std::move(values));
      own.counts.assign(own.borders.size() + 1, 0);
    }
    add_axis(column, sample.rows().n, own, is_category);
    profile.axes.push_back(std::move(own));
  }
  return profile;
}

}  // namespace pidforest::model
