// SPDX-License-Identifier: Apache-2.0
// Scored rows as lines: CSV for tables, JSON lines for programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pidforest/explain.h"
#include "pidforest/table.h"

namespace pidforest::cli {

struct ScoreLineFlags {
  /// The column that names rows; empty: their number, from 1.
  std::string id;
  /// All columns of the table, then score and is_anomaly.
  bool append = false;
  bool json = false;
  /// A column with the reason in words.
  bool reason = false;
  bool excel_safe = false;
  char delimiter = ',';
};

class ScoreLines {
 public:
  ScoreLines(ScoreLineFlags flags, AnomalyRule rule) : flags_(std::move(flags)), rule_(rule) {}

  /// The first line for a table with these columns; empty for JSON.
  [[nodiscard]] std::string header(const Table& table) const;
  /// What a line says of its row.
  struct Said {
    /// NaN stands for no score.
    double score;
    bool is_suppressed = false;
    /// In words; empty if there is none.
    std::string reason = {};
  };
  /// The line of row `i` of `batch`, which is row `number` of the table, from 0.
  [[nodiscard]] std::string line(const Table& batch, std::size_t i, std::uint64_t number, const Said& said) const;

 private:
  [[nodiscard]] std::string csv(const Table& batch, std::size_t i, std::uint64_t number, const Said& said) const;
  [[nodiscard]] std::string json(const Table& batch, std::size_t i, std::uint64_t number, const Said& said) const;

  ScoreLineFlags flags_;
  AnomalyRule rule_;
};

}  // namespace pidforest::cli
