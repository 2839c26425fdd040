// SPDX-License-Identifier: Apache-2.0
// What `detect` found, as a table for people or as JSON for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "out/ranking.h"
#include "out/row_numbers.h"
#include "pidforest/explain.h"
#include "pidforest/incidents.h"
#include "pidforest/model.h"

namespace pidforest::cli {

/// The findings, and what the output says of them in addition. Views all but the findings.
struct Detection {
  const Model& model;
  std::string preset;
  /// The columns that the forest was grown on.
  std::size_t n_features;
  /// The rows, or windows, that it was grown on.
  std::uint64_t n_rows;
  Findings found = {};
  /// Incidents in time, if they are asked for.
  std::optional<TimedFindings> timed = {};
  /// What --id calls the rows that were found; empty without it.
  std::vector<std::string> ids = {};
  const RowNumbers& numbers;
  /// The labels of all rows of the file; empty without --label.
  const std::vector<bool>& labels;
  /// None without labels, or with labels of one kind only.
  std::optional<RankingQuality> quality = {};
};

struct TableStyle {
  std::size_t width;
  bool in_colour;
};

/// Lines of at most `width` columns where the numbers and the id allow it.
std::string as_table(const Detection& detection, const TableStyle& style);
std::string as_json(const Detection& detection);

/// The first `most` incidents, in time or by reason.
std::string incidents_as_table(const Detection& detection, std::size_t most, const TableStyle& style);
/// All of them.
std::string incidents_as_json(const Detection& detection);

}  // namespace pidforest::cli
