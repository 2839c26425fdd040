// SPDX-License-Identifier: Apache-2.0
// Collects the range of each axis and the outermost values of each ordered axis in one pass over all rows. Values of
// two tables add up.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/table.h"
#include "schema/encode.h"
#include "table/column_ranges.h"

namespace pidforest::model {

/// The largest of many values. Memory: twice the number that is kept.
class LargestValues {
 public:
  explicit LargestValues(std::size_t n) : n_(n) {}

  /// A value at or below the bar is not among the largest.
  [[nodiscard]] double bar() const { return bar_; }
  /// NaN is not a value.
  void add(double x) {
    if (!(x > bar_)) return;
    values_.push_back(x);
    if (values_.size() == 2 * n_) keep_largest();
  }
  void merge(const LargestValues& other) {
    for (const double x : other.values_) add(x);
  }
  /// In decreasing order.
  [[nodiscard]] std::vector<double> sorted() const;

 private:
  void keep_largest();

  std::size_t n_;
  double bar_ = -std::numeric_limits<double>::infinity();
  std::vector<double> values_;
};

class OuterSurvey {
 public:
  /// Keeps no values: only ranges are wanted.
  OuterSurvey() = default;
  /// Keeps `n_outer` values at each end of each ordered axis, and none of other axes.
  OuterSurvey(std::span<const schema::AxisInfo> infos, std::size_t n_outer);

  /// Adds the rows of an encoded table with one column per axis. Returns the ranges of their values.
  std::vector<table::ColumnRange> add(const Table& encoded, const Run& run);

  /// In increasing order.
  [[nodiscard]] std::vector<double> lowest(std::size_t axis) const;
  /// In decreasing order.
  [[nodiscard]] std::vector<double> highest(std::size_t axis) const;

 private:
  struct Ends {
    std::size_t axis;
    LargestValues highest;
    /// The largest of the negated values.
    LargestValues lowest;

    /// Whether one of the values in a range may be among the outermost.
    [[nodiscard]] bool may_need(const table::ColumnRange& range) const;
    void add(const Column& column, std::size_t begin, std::size_t end);
  };

  /// What one thread finds.
  struct Found {
    std::vector<table::ColumnRange> ranges;
    std::vector<Ends> ends;
  };

  [[nodiscard]] std::vector<Ends> empty_ends() const;
  [[nodiscard]] const Ends* ends_of(std::size_t axis) const;

  std::size_t n_outer_ = 0;
  std::vector<Ends> ends_;
};

}  // namespace pidforest::model
