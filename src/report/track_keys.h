// SPDX-License-Identifier: Apache-2.0
// Chooses which of several series are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pidforest/table.h"

namespace pidforest::report {

struct KeyCounts {
  std::uint64_t n_keys = 0;
  std::uint64_t n_rows = 0;
  std::uint64_t n_anomalies = 0;
};

struct TrackKeys {
  /// Keys ordered by number of anomalies, then by number of rows, then by name.
  std::vector<std::string> keys = {};
  std::unordered_map<std::string, std::size_t> places = {};
  KeyCounts left_out = {};
};

/// Chooses at most `most` of the values of column `place`.
TrackKeys choose_keys(const Batches& rows, std::size_t place, const std::vector<bool>& anomalies, std::size_t most);

}  // namespace pidforest::report
