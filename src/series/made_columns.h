// SPDX-License-Identifier: Apache-2.0
// The values of columns that are computed from samples, a batch at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "series/window_columns.h"

namespace pidforest::series {

class MadeColumns {
 public:
  /// The columns must outlive this object.
  explicit MadeColumns(const WindowColumns& windows);

  /// Rows of a batch whose columns take about 16 MB.
  [[nodiscard]] std::size_t most_rows() const;

  /// Computes the rises, means and deviations in `n` rows. `last` has for each signal the sample that ends the first
  /// row; `n_before` samples before it are of its segment.
  void make(std::span<const double* const> last, std::size_t n_before, std::size_t n);
  /// The values of a column that is no lag, until the next call of `make`.
  [[nodiscard]] const double* of(std::size_t column) const { return values_[column].data(); }

 private:
  /// The columns of one signal that are means or deviations, by increasing spans.
  struct Scales {
    std::vector<std::size_t> spans = {};
    std::vector<std::size_t> means = {};
    std::vector<std::size_t> deviations = {};
  };

  void make_rises(const WindowColumn& column, const double* last, std::span<double> values) const;
  void make_scales(const Scales& scales, const double* last, std::size_t n_before, std::size_t n);

  const WindowColumns& windows_;
  /// One per signal.
  std::vector<Scales> scales_;
  /// One per column; empty for a lag.
  std::vector<std::vector<double>> values_;
};

}  // namespace pidforest::series
