// SPDX-License-Identifier: Apache-2.0
#include "file/profile_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <vector>

#include "pidforest/error.h"

namespace pidforest::file {

namespace {

[[noreturn]] void refuse_axis(std::size_t axis, std::string_view demand) {
  throw BadFile(fmt::format("the profile of axis {} {}.", axis, demand));
}

void check_axis(std::size_t axis, const model::AxisProfile& profile, std::uint64_t n_rows,
                const schema::AxisInfo& info) {
  const bool is_category = info.kind == geometry::AxisKind::category;
  const std::size_t n_bins = !is_category                                ? profile.borders.size() + 1
                             : info.n_cells <= model::most_binned_levels ? info.n_cells + 1
                                                                         : 0;
  if (profile.counts.size() != n_bins || (is_category && !profile.borders.empty()))
    refuse_axis(axis, "must have the bins of its kind");
  if (!std::ranges::all_of(profile.borders, [](double x) { return std::isfinite(x); }) ||
      std::ranges::adjacent_find(profile.borders, std::ranges::greater_equal{}) != profile.borders.end())
    refuse_axis(axis, "must have finite borders in increasing order");
  std::uint64_t left = n_rows;
  const auto take = [&](std::uint64_t n) {
    if (n > left) refuse_axis(axis, "must have no more rows than the sample");
    left -= n;
  };
  take(profile.n_missing);
  std::ranges::for_each(profile.counts, take);
  if (!profile.counts.empty() && left != 0) refuse_axis(axis, "must have all rows of the sample");
}

}  // namespace

void add_profile(SectionWriter& file, const model::Profile& profile) {
  std::vector<double> borders;
  std::vector<std::uint64_t> counts;
  for (const model::AxisProfile& axis : profile.axes) {
    borders.insert(borders.end(), axis.borders.begin(), axis.borders.end());
    counts.insert(counts.end(), axis.counts.begin(), axis.counts.end());
  }
  file.add_array("profile.rows", std::vector<std::uint64_t>{profile.n_rows}, std::identity{});
  file.add_array("profile.missing", profile.axes, [](const model::AxisProfile& axis) { return axis.n_missing; });
  file.add_array("profile.borders", profile.axes,
                 [](const model::AxisProfile& axis) { return static_cast<std::uint32_t>(axis.borders.size()); });
  file.add_array("profile.bins", profile.axes,
                 [](const model::AxisProfile& axis) { return static_cast<std::uint32_t>(axis.counts.size()); });
  file.add_array("profile.border", borders, std::identity{});
  file.add_array("profile.count", counts, std::identity{});
}

model::Profile read_profile(SectionReader& file, std::span<const schema::AxisInfo> axes,
                            std::span<const std::size_t> axis_order) {
  const auto rows = file.take_array<std::uint64_t>("profile.rows");
  const auto missing = file.take_array<std::uint64_t>("profile.missing");
  const auto n_borders = file.take_array<std::uint32_t>("profile.borders");
  const auto n_bins = file.take_array<std::uint32_t>("profile.bins");
  const auto border = file.take_array<double>("profile.border");
  const auto count = file.take_array<std::uint64_t>("profile.count");
  const std::size_t n_axes = axis_order.size();
  if (rows.size() != 1 || missing.size() != n_axes || n_borders.size() != n_axes || n_bins.size() != n_axes)
    throw BadFile("its arrays of the profile have wrong lengths.");
  model::Profile profile{.n_rows = rows[0]};
  std::size_t borders_end = 0;
  std::size_t counts_end = 0;
  for (std::size_t axis = 0; axis < n_axes; ++axis) {
    if (n_borders[axis] > border.size() - borders_end || n_bins[axis] > count.size() - counts_end)
      throw BadFile("its arrays of the profile have wrong lengths.");
    profile.axes.push_back({.n_missing = missing[axis],
                            .borders = border.copy(borders_end, borders_end + n_borders[axis]),
                            .counts = count.copy(counts_end, counts_end + n_bins[axis])});
    borders_end += n_borders[axis];
    counts_end += n_bins[axis];
    check_axis(axis, profile.axes.back(), profile.n_rows, axes[axis_order[axis]]);
  }
  if (borders_end != border.size() || counts_end != count.size())
    throw BadFile("its arrays of the profile have wrong lengths.");
  return profile;
}

}  // namespace pidforest::file
