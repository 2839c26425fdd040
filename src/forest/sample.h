// SPDX-License-Identifier: Apache-2.0
// The rows on which one tree is grown, copied so that eight axes of a row are adjacent and fill vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "geometry/isolated.h"

namespace pidforest::forest {

class Sample {
 public:
  /// The number of lanes of the longest vector in use, 512 bits.
  static constexpr std::size_t lanes_at_most = 8;

  Sample(const Rows& rows, std::span<const std::size_t> chosen);

  /// Moves values in isolated parts to the nearest end of the core. `isolated` has one element per axis, or none.
  void clamp(std::span<const geometry::IsolatedParts> isolated);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t n_axes() const { return n_axes_; }
  /// The number of axes with those that fill the last vector; their values are NaN.
  [[nodiscard]] std::size_t n_padded_axes() const { return n_padded_axes_; }
  [[nodiscard]] bool has_missing() const { return has_missing_; }

  [[nodiscard]] double value(std::size_t row, std::size_t axis) const {
    return values_[place(row, axis)][axis % lanes_at_most];
  }
  /// The values of an axis and of those after it that are in the same vectors; the next row begins `lanes_at_most`
  /// doubles later.
  [[nodiscard]] const double* values(std::size_t axis) const {
    return values_[place(0, axis)].data() + axis % lanes_at_most;
  }

 private:
  /// The values of a row on a group of axes. They fill one cache line, so that no vector crosses a boundary.
  struct alignas(64) Lanes : std::array<double, lanes_at_most> {};

  void copy_rows(const StridedColumn& first, std::span<const std::size_t> chosen);
  void set(std::size_t row, std::size_t axis, double x);
  [[nodiscard]] std::size_t place(std::size_t row, std::size_t axis) const {
    return axis / lanes_at_most * group_size_ + row;
  }

  std::size_t n_rows_;
  std::size_t n_axes_;
  std::size_t n_padded_axes_;
  /// The number of lines from one group of axes to the next. One line of padding keeps the groups of a row in different
  /// places of the cache.
  std::size_t group_size_;
  bool has_missing_ = false;
  /// Not aligned by the allocator: that of glibc 2.36 hardly uses aligned memory again.
  std::unique_ptr<std::byte[]> memory_;  // NOLINT(modernize-avoid-c-arrays): a vector would be filled twice
  Lanes* values_;
};

/// A group of lanes_at_most adjacent axes, which fill whole vectors: its first axis, and some of its axes as a set of
/// bits.
struct LaneGroup {
  std::uint32_t first = 0;
  std::uint8_t axes = 0;
};

/// The groups that some axes, in increasing order, belong to.
std::vector<LaneGroup> lane_groups(std::span<const std::uint32_t> axes);

/// The range of the values of some rows on each axis; least = infinity and largest = -infinity if all are missing.
struct AxisRanges {
  AxisRanges() = default;
  /// For `n` axes with padding.
  explicit AxisRanges(std::size_t n);

  std::vector<double> least;
  std::vector<double> largest;
  /// The number of values that are not missing.
  std::vector<double> present;
};

/// Cuts of some rows, one on each axis.
struct SampleCuts {
  explicit SampleCuts(const Sample& sample)
      : ranges(sample.n_padded_axes()),
        shares(sample.n_padded_axes()),
        cuts(sample.n_padded_axes()),
        below(sample.n_padded_axes()) {}

  AxisRanges ranges;
  /// The places of the cuts as shares of the ranges, and the cuts.
  std::vector<double> shares;
  std::vector<double> cuts;
  /// The number of values below each cut.
  std::vector<double> below;
};

/// Sets `cuts` to the cuts at `shares` of the ranges, as geometry::sampled_cut does, on all axes of some groups.
void place_cuts(const AxisRanges& ranges, std::span<const LaneGroup> groups, std::span<const double> shares,
                std::span<double> cuts);

/// Finds the ranges of the values of `rows` unless `has_ranges`, places the cuts at their shares, and counts the values
/// below them, on all axes of some groups. Takes one group after the other: their values then stay in the cache from
/// one pass to the next.
void cut_groups(const Sample& sample, std::span<const std::uint32_t> rows, std::span<const LaneGroup> groups,
                bool has_ranges, SampleCuts& cuts);

/// Drops the axes from the groups whose cuts geometry::is_above_gate rejects without a logarithm.
void drop_even(const AxisRanges& ranges, std::span<const double> cuts, std::span<const double> below, double gate,
               std::span<LaneGroup> groups);

/// Sets `bounds` to numbers that the keys of AxisChoice for the cuts do not exceed, on all axes of some groups that no
/// value is missing on: without logarithms for the usual powers, and infinity for others. `uniforms` are the draws of
/// the axes.
void bound_keys(const SampleCuts& cuts, std::span<const LaneGroup> groups, std::span<const double> uniforms,
                double power, std::span<double> bounds);

}  // namespace pidforest::forest
