// SPDX-License-Identifier: Apache-2.0
// The scores of tables, and which of them are anomalies.
// Declared in pidforest/explain.h.
#include <cmath>
#include <limits>

#include "pidforest/explain.h"

namespace pidforest {

std::optional<bool> AnomalyRule::is_anomaly(double bits, bool is_suppressed) const {
  if (std::isnan(bits) || !limit()) return std::nullopt;
  return !is_suppressed && (min_bits ? bits >= *min_bits : bits > *threshold);
}

std::optional<double> AnomalyRule::most_normal() const {
  return min_bits ? std::optional(std::nextafter(*min_bits, -std::numeric_limits<double>::infinity())) : threshold;
}

Scores score_table(const Model& model, const Batches& rows, const KnownReasons& known, const Run& run) {
  Scores scores{.rows = rows, .scored = rows, .bits = std::vector<double>(rows.n_rows())};
  model.score_into(scores.bits, rows, run);
  if (known.empty()) return scores;
  rows.for_each([&](const Table& batch) {
    const std::vector<bool> some = known.matches(batch);
    scores.suppressed.insert(scores.suppressed.end(), some.begin(), some.end());
  });
  return scores;
}

Scores score_samples(const Scores& of_windows, const Batches& samples, std::vector<std::size_t> windows) {
  Scores scores{.rows = samples, .scored = of_windows.scored, .bits = {}, .windows = std::move(windows)};
  for (const std::size_t window : scores.windows) {
    const bool has_score = window < of_windows.bits.size();
    scores.bits.push_back(has_score ? of_windows.bits[window] : std::numeric_limits<double>::quiet_NaN());
    if (!of_windows.suppressed.empty()) scores.suppressed.push_back(has_score && of_windows.suppressed[window]);
  }
  return scores;
}

}  // namespace pidforest
