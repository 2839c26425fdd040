// SPDX-License-Identifier: Apache-2.0
// Rows with all that is known of why they are rare, as paragraphs for people or lines of JSON for programs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/explain.h"

namespace pidforest::cli {

/// A witness in all forms, which many rows may share.
struct PrintedWitness {
  /// Safe to show; empty if it has no conditions.
  std::string words;
  /// The words and the witness as JSON.
  std::string quoted_words;
  std::string json;
  /// If a clause was asked for and there is one.
  std::optional<std::string> sql = {};
};

struct ExplainedRow {
  /// From 0.
  std::uint64_t row = 0;
  double bits = 0;
  /// What --id names it, if anything.
  std::optional<std::string> id = {};
  std::optional<bool> is_anomaly = {};
  std::shared_ptr<const PrintedWitness> witness = {};
  std::vector<ColumnBits> columns = {};
  /// The columns that matter with their values, safe to show; for JSON only where there is no witness.
  std::string column_words = {};
  /// What would make it normal, where it was looked for and there is something.
  std::optional<std::vector<Condition>> normal_if = {};
  /// Some of the other rows that its witness holds, by number from 0, where they were looked for.
  std::optional<std::vector<std::uint64_t>> impostors = {};
};

/// A text as JSON.
std::string json_text(const std::string& text);

class RowPrinter {
 public:
  /// Views a model's schema.
  explicit RowPrinter(const Schema& schema);

  /// Some lines that end with an empty one.
  [[nodiscard]] std::string paragraph(const ExplainedRow& row) const;
  [[nodiscard]] std::string json_line(const ExplainedRow& row) const;

 private:
  const Schema& schema_;
  /// The names of the columns as JSON.
  std::vector<std::string> quoted_;
};

}  // namespace pidforest::cli
