// SPDX-License-Identifier: Apache-2.0
// The outermost values of axes, and the ranges of several axes at once in the lanes of vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pidforest::geometry {

/// The largest of many values. Memory: twice the number that is kept.
class LargestValues {
 public:
  explicit LargestValues(std::size_t n) : LargestValues(n, -std::numeric_limits<double>::infinity()) {}
  /// Drops values at or below `bar` from the start.
  LargestValues(std::size_t n, double bar);

  /// How many values are kept.
  [[nodiscard]] std::size_t n() const { return n_; }
  /// A value at or below the bar is not among the largest.
  [[nodiscard]] double bar() const { return bar_; }
  /// NaN is not a value. Returns whether the bar has risen.
  bool add(double x) {
    if (!(x > bar_)) return false;
    values_.push_back(x);
    if (values_.size() < 2 * n_) return false;
    keep_largest();
    return true;
  }
  void merge(const LargestValues& other) {
    for (const double x : other.values_) add(x);
  }
  /// True if at least n() of the kept values are above a number: values at or below it then cannot be among the
  /// largest.
  [[nodiscard]] bool are_above(double bar) const;
  /// In decreasing order.
  [[nodiscard]] std::vector<double> sorted() const;

 private:
  void keep_largest();

  std::size_t n_;
  double bar_;
  std::vector<double> values_;
};

/// Sorts values in increasing order. None is missing.
void sort_up(std::span<double> values);

/// Facts about some columns, in the lanes of vectors.
struct ColumnLanes {
  static constexpr std::size_t n = 8;
  using Numbers = std::array<double, n>;

  static constexpr Numbers all(double x) { return {x, x, x, x, x, x, x, x}; }

  Numbers least = all(std::numeric_limits<double>::infinity());
  Numbers largest = all(-std::numeric_limits<double>::infinity());
  Numbers n_missing = {};
  /// A value between the bars is not among the outermost.
  Numbers high_bar = all(std::numeric_limits<double>::infinity());
  Numbers low_bar = all(-std::numeric_limits<double>::infinity());
};

/// Adds rows of adjacent columns, the first at `row` and each next one `stride` numbers later. Sets beyond[i] to the
/// columns whose values in row i are beyond the bars, as a set of bits. `beyond` has one element for each row.
void widen_lanes(const double* row, std::ptrdiff_t stride, ColumnLanes& lanes, std::span<std::uint8_t> beyond);

}  // namespace pidforest::geometry
