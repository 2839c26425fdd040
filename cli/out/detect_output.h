// SPDX-License-Identifier: Apache-2.0
// What `detect` found, as a table for people or as JSON for programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags/mark.h"
#include "out/ranking.h"
#include "out/top_rows.h"
#include "pidforest/explain.h"
#include "pidforest/options.h"

namespace pidforest::cli {

struct DetectedRow {
  /// From 0.
  std::uint64_t row;
  double bits;
  /// What --id names it, if anything.
  std::string id = {};
  std::optional<bool> label = {};
  Witness witness = {};
  std::vector<ColumnBits> columns = {};
  /// The reason in words and in few; safe to show.
  std::string words = {};
  std::string few_words = {};
};

struct Detection {
  std::string preset;
  Options options;
  std::uint64_t n_rows = 0;
  /// The columns that the forest was grown on.
  std::size_t n_features = 0;
  Mark mark = {};
  std::uint64_t n_anomalies = 0;
  /// Rows beyond the threshold that rules account for; they are no anomalies.
  std::uint64_t n_known = 0;
  bool has_id = false;
  bool has_labels = false;
  /// The rows with the most bits, the most first.
  std::vector<DetectedRow> top = {};
  /// In place of the rows, if they were asked for: all anomalies, and which of them share a reason.
  std::vector<TopRow> anomalies = {};
  std::vector<Incident> incidents = {};
  /// None without labels, or with labels of one kind only.
  std::optional<RankingQuality> quality = {};
};

struct TableStyle {
  std::size_t width;
  bool in_colour;
};

/// Lines of at most `width` columns where the numbers and the id allow it.
std::string as_table(const Detection& found, const TableStyle& style);
std::string as_json(const Detection& found, const Schema& schema);

/// The first `most` incidents.
std::string incidents_as_table(const Detection& found, std::size_t most, const Schema& schema, const TableStyle& style);
/// All of them.
std::string incidents_as_json(const Detection& found, const Schema& schema);

}  // namespace pidforest::cli
