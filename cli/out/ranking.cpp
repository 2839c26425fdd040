// SPDX-License-Identifier: Apache-2.0
#include "out/ranking.h"

#include <algorithm>
#include <numeric>

namespace pidforest::cli {

namespace {

std::vector<std::size_t> by_falling_score(std::span<const double> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

}  // namespace

std::optional<RankingQuality> ranking_quality(std::span<const double> scores, const std::vector<bool>& is_anomaly) {
  const auto n_anomalies = static_cast<double>(std::count(is_anomaly.begin(), is_anomaly.end(), true));
  const double n_normal = static_cast<double>(is_anomaly.size()) - n_anomalies;
  if (n_anomalies == 0 || n_normal == 0) return std::nullopt;

  const std::vector<std::size_t> order = by_falling_score(scores);
  double anomalies_above = 0;
  double normal_above = 0;
  RankingQuality quality{0, 0};
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](std::size_t i) { return scores[i] != scores[*first]; });
    const auto tied_anomalies =
        static_cast<double>(std::count_if(first, last, [&](std::size_t i) { return is_anomaly[i]; }));
    const double tied_normal = static_cast<double>(last - first) - tied_anomalies;
    anomalies_above += tied_anomalies;
    normal_above += tied_normal;
    quality.auc += tied_anomalies * (n_normal - normal_above + tied_normal / 2);
    quality.average_precision += tied_anomalies * anomalies_above / (anomalies_above + normal_above);
    first = last;
  }
  return RankingQuality{quality.auc / (n_anomalies * n_normal), quality.average_precision / n_anomalies};
}

}  // namespace pidforest::cli
