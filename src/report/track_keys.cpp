// SPDX-License-Identifier: Apache-2.0
#include "report/track_keys.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "table/value.h"

namespace pidforest::report {

TrackKeys choose_keys(const Batches& rows, std::size_t place, const std::vector<bool>& anomalies, std::size_t most) {
  std::unordered_map<std::string, KeyCounts> counts;
  std::size_t n_before = 0;
  rows.for_each_part(place, [&](const Column& column, std::size_t n_rows) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      KeyCounts& count = counts[table::key_of(column, row)];
      ++count.n_rows;
      count.n_anomalies += anomalies[n_before + row] ? 1 : 0;
    }
    n_before += n_rows;
  });

  std::vector<std::pair<std::string, KeyCounts>> ranked(counts.begin(), counts.end());
  std::ranges::sort(ranked, [](const auto& a, const auto& b) {
    return std::tie(b.second.n_anomalies, b.second.n_rows, a.first) <
           std::tie(a.second.n_anomalies, a.second.n_rows, b.first);
  });
  TrackKeys chosen;
  for (const auto& [key, count] : ranked) {
    if (chosen.keys.size() < most) {
      chosen.places.emplace(key, chosen.keys.size());
      chosen.keys.push_back(key);
      continue;
    }
    ++chosen.left_out.n_keys;
    chosen.left_out.n_rows += count.n_rows;
    chosen.left_out.n_anomalies += count.n_anomalies;
  }
  return chosen;
}

}  // namespace pidforest::report
