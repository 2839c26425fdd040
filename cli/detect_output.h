// SPDX-License-Identifier: Apache-2.0
// What `detect` found, as a table for people or as JSON for programs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/options.h"
#include "pidforest/table.h"
#include "ranking.h"

namespace pidforest::cli {

struct Detection {
  std::string preset;
  Options options;
  /// All columns but the label, also those that the forest was not grown on, which tell rows apart.
  Table table;
  /// The columns that the forest was grown on.
  std::size_t n_features;
  std::vector<double> bits;
  std::optional<double> threshold;
  /// The rows with the most bits, the most first.
  std::vector<std::size_t> top;
  /// One per row, if the file has a label column.
  std::optional<std::vector<bool>> labels;
  /// None without labels, or with labels of one kind only.
  std::optional<RankingQuality> quality;

  [[nodiscard]] bool is_anomaly(std::size_t row) const { return threshold && bits[row] > *threshold; }
};

/// Lines of at most `width` characters where the names and values of a row allow it.
std::string as_table(const Detection& found, std::size_t width);
std::string as_json(const Detection& found);

}  // namespace pidforest::cli
