// SPDX-License-Identifier: Apache-2.0
// Collects the range of each axis and the outermost values of each ordered axis in one pass over all rows. Values of
// two tables add up.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "geometry/outermost.h"
#include "pidforest/options.h"
#include "pidforest/table.h"
#include "schema/encode.h"
#include "table/column_ranges.h"

namespace pidforest::model {

class OuterSurvey {
 public:
  /// Keeps no values: only ranges are wanted.
  OuterSurvey() = default;
  /// Keeps `n_outer` values at each end of each ordered axis, and none of other axes.
  OuterSurvey(std::span<const schema::AxisInfo> infos, std::size_t n_outer);

  /// Adds the rows of an encoded table with one column per axis. Returns the ranges of their values.
  std::vector<table::ColumnRange> add(const Table& encoded, const Run& run);

  /// Adds the outermost values of other rows. `other` has the same axes.
  void merge(const OuterSurvey& other);
  /// Adds outermost values, given by axis. Missing values are none.
  void add(std::span<const std::vector<double>> lowest, std::span<const std::vector<double>> highest);

  /// The number of axes: 0 if only ranges are wanted and no rows were added.
  [[nodiscard]] std::size_t n_axes() const { return ends_.size(); }
  /// In increasing order.
  [[nodiscard]] std::vector<double> lowest(std::size_t axis) const;
  /// In decreasing order.
  [[nodiscard]] std::vector<double> highest(std::size_t axis) const;

 private:
  /// The outermost values of an axis.
  struct Ends {
    explicit Ends(std::size_t n) : highest(n), lowest(n) {}
    /// Keeps only values above `high_bar` at the upper end, and below `low_bar` at the lower end.
    Ends(std::size_t n, double low_bar, double high_bar) : highest(n, high_bar), lowest(n, -low_bar) {}

    /// Returns whether a bar has moved.
    bool add(double x);
    void merge(const Ends& other);

    geometry::LargestValues highest;
    /// The largest of the negated values.
    geometry::LargestValues lowest;
  };

  /// Where the outermost values of a column seem to begin.
  struct Bars {
    double low;
    double high;
  };

  /// What one thread finds.
  struct Found {
    explicit Found(std::vector<Ends> of_axes);

    /// Adds a few rows.
    void add(const Table& encoded, std::size_t begin, std::size_t n_rows);
    void set_bars(std::size_t axis);
    [[nodiscard]] table::ColumnRange range(std::size_t axis) const;

    std::vector<Ends> ends;
    std::vector<geometry::ColumnLanes> lanes;
  };

  [[nodiscard]] std::vector<Bars> guess_bars(const Table& encoded) const;
  /// Adds the values of an axis that wrong guesses left out.
  void add_left_out(const Table& encoded, std::size_t axis, const Bars& bars);

  /// One per axis.
  std::vector<Ends> ends_;
};

}  // namespace pidforest::model
