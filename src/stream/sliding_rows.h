// SPDX-License-Identifier: Apache-2.0
// The last samples of a stream, and the rows that they make: a row is one sample, or a window of successive ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/rows.h"

namespace pidforest::stream {

/// An axis of the rows: a column of the samples, `lag` samples earlier; or, if `rise_over` is not 0, by how much the
/// column rose over the last `rise_over` samples.
/// `is_mean` marks a column that follows from another one.
struct Feature {
  std::size_t column = 0;
  std::size_t lag = 0;
  std::size_t rise_over = 0;
  bool is_mean = false;
  /// Whether it is a line of numbers without cells, which can be made longer.
  bool is_line = false;
};

/// Samples without what is derived from them, one after the other.
struct PlainSamples {
  std::vector<double> values = {};
  /// Whether each ends a row.
  std::vector<std::uint8_t> ends_row = {};
};

/// Row i ends with sample i of the horizon; not every sample ends a row. The next sample lies after them, so that it
/// can be scored before it is taken. Samples are contiguous in memory, each followed by its rises, and a row is a view
/// of them.
class SlidingRows {
 public:
  SlidingRows(std::size_t n_columns, std::vector<Feature> features, std::size_t horizon);

  [[nodiscard]] std::size_t horizon() const { return horizon_; }
  [[nodiscard]] const std::vector<Feature>& features() const { return features_; }
  /// The number of buffered samples, at most `horizon`, and how many of them end rows.
  [[nodiscard]] std::size_t n_samples() const { return n_samples_; }
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  /// How many samples came before the buffered ones.
  [[nodiscard]] std::uint64_t n_dropped() const { return n_dropped_; }
  [[nodiscard]] bool is_row(std::size_t i) const { return is_row_[begin_ + i] != 0; }
  /// The samples that end rows, in their order.
  [[nodiscard]] std::vector<std::size_t> row_numbers() const;
  /// Whether a value of row i is missing; i may be n_samples(), the next one.
  [[nodiscard]] bool has_missing(std::size_t i) const;

  /// The place of sample i; i may be n_samples(). The value of feature f of row i is at(i)[offsets()[f]].
  [[nodiscard]] const double* at(std::size_t i) const { return values_.data() + (begin_ + i) * stride(); }
  [[nodiscard]] std::size_t n_columns() const { return n_columns_; }
  /// The numbers of a sample: its columns, then its rises.
  [[nodiscard]] std::size_t stride() const { return n_columns_ + rises_.size(); }
  /// The place of feature f, or of its latest lag, among the numbers of a sample.
  [[nodiscard]] std::size_t place_of(std::size_t f) const { return places_[f]; }
  /// The features with the value at this place, at all lags.
  [[nodiscard]] const std::vector<std::size_t>& features_at(std::size_t place) const { return features_at_[place]; }
  [[nodiscard]] const std::vector<std::ptrdiff_t>& offsets() const { return offsets_; }
  /// All buffered samples and the next one as rows, whether they end a row or not.
  [[nodiscard]] forest::Rows rows() const;

  /// How many samples from before the horizon are kept, for rows that reach back to them.
  [[nodiscard]] std::size_t n_before() const { return n_before_; }

  /// The samples of the horizon, after those from before it that are kept.
  [[nodiscard]] PlainSamples plain_samples() const;

  /// Sets the sample that comes next. If it ends no row, its rises are missing.
  void set_next(std::span<const double> sample, bool ends_row);
  /// Adds it to the others; beyond the horizon the oldest is dropped.
  void take(bool ends_row);

 private:
  /// A number of a sample that is derived from a column.
  struct Rise {
    std::size_t column;
    std::size_t over;
  };

  void make_room();

  std::size_t n_columns_;
  std::vector<Feature> features_;
  std::vector<Rise> rises_;
  /// Whether some feature has the column.
  std::vector<std::uint8_t> is_used_;
  std::vector<std::size_t> places_;
  std::vector<std::vector<std::size_t>> features_at_;
  std::size_t horizon_;
  std::size_t longest_lag_ = 0;
  std::vector<std::ptrdiff_t> offsets_;
  /// Sample i of the horizon is the one at begin_ + i.
  std::size_t begin_;
  std::size_t n_samples_ = 0;
  std::size_t n_rows_ = 0;
  std::size_t n_before_ = 0;
  std::uint64_t n_dropped_ = 0;
  std::vector<double> values_;
  std::vector<std::uint8_t> is_row_;
  /// How many successive samples up to each have no missing value.
  std::vector<std::size_t> n_complete_;
};

/// Views some axes of rows.
forest::Rows in_order(const forest::Rows& rows, std::span<const std::size_t> axis_order);

/// 0, 1, ... n - 1.
std::vector<std::size_t> numbers_below(std::size_t n);

}  // namespace pidforest::stream
