// SPDX-License-Identifier: Apache-2.0
#include "forest/sorted_axis.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "forest/divide.h"
#include "system/per_thread.h"

namespace pidforest::forest {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63U;

/// Maps doubles to integers of the same order, with NaN above all.
std::uint64_t sort_key(double x) {
  if (std::isnan(x)) return ~std::uint64_t{0};
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return (bits & sign_bit) != 0 ? ~bits : bits | sign_bit;
}

}  // namespace

SortedAxis::SortedAxis(const Sample& sample, std::size_t axis) : rows_(sample.n_rows()), values_(sample.n_rows()) {
  static const system::PerThread<std::vector<std::uint64_t>> keys;
  static const system::PerThread<hwy::Sorter> sorters;  // may hold a buffer, so each thread has its own
  std::vector<std::uint64_t>& keyed = keys();
  // The row is in the lowest bits, and as much of the key as fits above it.
  const std::uint64_t row_mask = std::bit_ceil(sample.n_rows()) - 1;
  keyed.resize(sample.n_rows());
  for (std::size_t row = 0; row < keyed.size(); ++row)
    keyed[row] = (sort_key(sample.value(row, axis)) & ~row_mask) | row;
  sorters()(keyed.data(), keyed.size(), hwy::SortAscending());
  for (std::size_t i = 0; i < keyed.size(); ++i) rows_[i] = static_cast<std::uint32_t>(keyed[i] & row_mask);

  // Where the truncated keys are equal, the values decide.
  const auto exact_key = [&](std::uint32_t row) { return std::pair(sort_key(sample.value(row, axis)), row); };
  for (std::size_t begin = 0, end = 1; begin < keyed.size(); begin = end++) {
    while (end < keyed.size() && ((keyed[end] ^ keyed[begin]) & ~row_mask) == 0) ++end;
    const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(begin);
    if (end - begin > 1)
      std::sort(first, first + static_cast<std::ptrdiff_t>(end - begin),
                [&](std::uint32_t a, std::uint32_t b) { return exact_key(a) < exact_key(b); });
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) values_[i] = sample.value(rows_[i], axis);
  has_missing_ = !values_.empty() && std::isnan(values_.back());
}

geometry::NodeValues SortedAxis::values(std::size_t begin, std::size_t end) const {
  const auto all = std::span(values_).subspan(begin, end - begin);
  std::size_t n_present = all.size();
  if (has_missing_)
    n_present = static_cast<std::size_t>(
        std::partition_point(all.begin(), all.end(), [](double x) { return !std::isnan(x); }) - all.begin());
  return {all.first(n_present), std::span(rows_).subspan(begin, n_present), all.size() - n_present};
}

void SortedAxis::divide(std::span<SortedAxis> axes, std::span<const std::size_t> borders,
                        std::span<const std::uint8_t> child_of_row) {
  // The destination of a row depends on that of the previous row. Processing four axes at a time hides this latency.
  constexpr std::size_t width = 4;
  struct Workspace {
    std::array<std::vector<double>, width> values;
    std::array<std::vector<std::uint32_t>, width> rows;
  };
  static const system::PerThread<Workspace> workspaces;
  auto& [values, rows] = workspaces();
  for (std::size_t first = 0; first < axes.size(); first += width) {
    const auto some = axes.subspan(first, std::min(width, axes.size() - first));
    struct Lane {
      PlacesByChild places;
      const double* from_values;
      const std::uint32_t* from_rows;
      double* to_values;
      std::uint32_t* to_rows;
    };
    std::vector<Lane> lanes;
    for (std::size_t j = 0; j < some.size(); ++j) {
      values[j].resize(some[j].values_.size());
      rows[j].resize(some[j].rows_.size());
      lanes.push_back(
          {PlacesByChild(borders), some[j].values_.data(), some[j].rows_.data(), values[j].data(), rows[j].data()});
    }
    for (std::size_t i = borders.front(); i < borders.back(); ++i)
      for (Lane& lane : lanes) {
        const std::uint32_t row = lane.from_rows[i];
        const std::size_t place = lane.places.next(child_of_row[row]);
        lane.to_values[place] = lane.from_values[i];
        lane.to_rows[place] = row;
      }
    for (std::size_t j = 0; j < some.size(); ++j) {
      copy_range<double>(values[j], borders, some[j].values_);
      copy_range<std::uint32_t>(rows[j], borders, some[j].rows_);
    }
  }
}

}  // namespace pidforest::forest
