// SPDX-License-Identifier: Apache-2.0
// One row with all that is known of why it is rare, as a paragraph for people or a line of JSON for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mark.h"
#include "pidforest/explanation.h"
#include "reason.h"

namespace pidforest::cli {

struct ExplainedRow {
  /// From 0.
  std::uint64_t row;
  double bits;
  /// What --id names it, if anything.
  std::optional<std::string> id = {};
  std::optional<bool> is_anomaly = {};
  Reason reason = {};
  /// The witness, and the columns that matter with their values, in words that are safe to show.
  std::string words = {};
  std::string column_words = {};
  /// The witness as a WHERE clause, if one was asked for and there is one.
  std::optional<std::string> sql = {};
  /// What would make it normal, where it was looked for and there is something.
  std::optional<std::vector<Condition>> normal_if = {};
  /// Some of the other rows that its witness holds, by number from 0, where they were looked for.
  std::optional<std::vector<std::uint64_t>> impostors = {};
};

/// Some lines that end with an empty one.
std::string as_paragraph(const ExplainedRow& row, const Schema& schema);
std::string as_json_line(const ExplainedRow& row);

}  // namespace pidforest::cli
