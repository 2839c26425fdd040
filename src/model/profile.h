// SPDX-License-Identifier: Apache-2.0
// How the values of each axis are distributed in a sample of the fitted rows: a few bins per axis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/chosen_rows.h"
#include "forest/rows.h"
#include "geometry/part.h"
#include "schema/encode.h"

namespace pidforest::model {

struct AxisProfile {
  std::uint64_t n_missing = 0;
  /// Ordered and cyclic axes: bin i has the values from border i - 1 up to but not including border i. Empty for
  /// categories, whose bins are the levels.
  std::vector<double> borders = {};
  /// The rows in each bin; unseen levels have the last bin of a category.
  std::vector<std::uint64_t> counts = {};

  bool operator==(const AxisProfile&) const = default;
};

/// The axes are in the order of the forest.
struct Profile {
  /// The rows of the sample.
  std::uint64_t n_rows = 0;
  std::vector<AxisProfile> axes = {};

  bool operator==(const Profile&) const = default;
};

/// At most this many bins: borders are quantiles of the sample. A category with more levels has none.
inline constexpr std::size_t most_bins = 32;
inline constexpr std::size_t most_binned_levels = 256;

/// `axis_order` has the axis of the encoder behind each axis of the rows.
Profile profile_of(const forest::ChosenRows& chosen, std::span<const schema::AxisInfo> axes,
                   std::span<const std::size_t> axis_order);

/// Adds rows to the counts of a profile, whose bins stay.
void add_axis(const forest::StridedColumn& values, std::size_t n_rows, AxisProfile& profile, bool is_category);

}  // namespace pidforest::model
