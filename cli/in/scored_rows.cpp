// SPDX-License-Identifier: Apache-2.0
#include "in/scored_rows.h"

#include <limits>

namespace pidforest::cli {

ScoredRows::ScoredRows(const Training& training, WindowAlignment align, const Model& model, const Suppression& known,
                       Work& work)
    : model_(model), known_(known), work_(work), is_series_(training.series.has_value()) {
  if (!is_series_) return;
  const Series& series = *training.series;
  windows_.bits = model.score(series, work.run());
  series.for_each([&](const Table& batch) {
    const std::vector<bool> some = known.matches(batch);
    windows_.is_known.insert(windows_.is_known.end(), some.begin(), some.end());
  });
  window_of_ = series.shingles_of_samples(align, windows_.bits);
}

ScoredRows::Scores ScoredRows::of(const Table& batch, std::uint64_t first) const {
  if (!is_series_) return {.bits = model_.score(batch, work_.silent_run()), .is_known = known_.matches(batch)};
  Scores scores;
  for (std::size_t i = 0; i < batch.n_rows(); ++i) {
    const std::size_t window = window_of_[first + i];
    const bool has_window = window != Series::none;
    scores.bits.push_back(has_window ? windows_.bits[window] : std::numeric_limits<double>::quiet_NaN());
    scores.is_known.push_back(has_window && windows_.is_known[window]);
  }
  return scores;
}

std::uint64_t ScoredRows::scored_row(std::uint64_t row) const { return is_series_ ? window_of_[row] : row; }

}  // namespace pidforest::cli
