// SPDX-License-Identifier: Apache-2.0
// The score of each row of a file: its own, or where rows are samples of a series that of a window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "flags/suppression.h"
#include "in/training.h"
#include "out/work.h"
#include "pidforest/model.h"

namespace pidforest::cli {

class ScoredRows {
 public:
  struct Scores {
    /// NaN where there is no window.
    std::vector<double> bits;
    std::vector<bool> is_known;
  };

  /// Scores all windows, if there are any. All that is given must outlive this.
  ScoredRows(const Training& training, WindowAlignment align, const Model& model, const Suppression& known, Work& work);

  /// Of the rows of a batch of the file, whose first is row `first`.
  [[nodiscard]] Scores of(const Table& batch, std::uint64_t first) const;

  /// The window of each row; empty where rows are scored as they are.
  [[nodiscard]] const std::vector<std::size_t>& scored_rows() const { return window_of_; }
  /// Which of the rows that the model was fitted on gives a row of the file its score.
  [[nodiscard]] std::uint64_t scored_row(std::uint64_t row) const;

 private:
  const Model& model_;
  const Suppression& known_;
  Work& work_;
  bool is_series_;
  /// Of all windows.
  Scores windows_ = {};
  std::vector<std::size_t> window_of_ = {};
};

}  // namespace pidforest::cli
