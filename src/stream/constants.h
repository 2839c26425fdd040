// SPDX-License-Identifier: Apache-2.0
// Columns that do not vary where a tree was grown: how many rows with another value have been learned since, which says
// how rare the next one is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forest/forest.h"
#include "stream/sliding_rows.h"

namespace pidforest::stream {

/// The bits of a value off a constant when `n_off` of `n` rows were off it, less and less the more there are: a burst
/// is rare, a lasting change is soon learned. Without a value for the first.
std::optional<double> bits_off_constant(std::uint64_t n_off, std::uint64_t n);

class Constants {
 public:
  /// Finds the axes that do not vary in some root cube, and counts the buffered rows that are off their values.
  void find(std::span<const forest::Root> roots, const SlidingRows& rows);
  /// Counts the sample that comes next, and forgets the one that it drops. Call it before the rows take the sample.
  void take(const SlidingRows& rows, bool ends_row);

  /// New bits of the values off an axis with this only value.
  struct News {
    std::size_t axis;
    double value;
    std::optional<double> bits;
  };
  /// What has changed since the last call, by counts of `n` rows.
  std::vector<News> take_news(std::size_t n);

 private:
  struct Constant {
    std::size_t axis;
    double value;
    std::uint64_t n_off = 0;
    std::optional<double> bits = {};
    /// Whether the trees that know it have its bits.
    bool is_told = false;
  };

  std::vector<Constant> constants_;
};

}  // namespace pidforest::stream
