// SPDX-License-Identifier: Apache-2.0
// Findings as paragraphs for people or lines of JSON for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "out/row_numbers.h"
#include "pidforest/explain.h"

namespace pidforest::cli {

/// Writes findings that all share one list of witnesses.
class FindingPrinter {
 public:
  /// Views a model's schema, and the numbers of the rows and of their impostors, which may be rows of another table.
  /// With a dialect, adds the WHERE clause of each witness; a table in SQL has no columns for windows, and a comment
  /// says so instead.
  FindingPrinter(const Schema& schema, bool is_json, std::optional<SqlDialect> dialect, bool are_windows,
                 const RowNumbers& numbers, const RowNumbers& of_impostors);

  /// A line of JSON, or some lines that end with an empty one. `id` is what --id calls the row, if anything.
  std::string print(const Findings& found, const Finding& finding, const std::optional<std::string>& id);

 private:
  /// A witness as JSON and SQL, which many rows may share.
  struct PrintedWitness {
    bool has_conditions;
    std::string json;
    /// If a clause was asked for and there is one.
    std::optional<std::string> sql = {};
  };

  [[nodiscard]] PrintedWitness printed(const Witness& witness) const;
  [[nodiscard]] std::string paragraph(const Finding& finding, const PrintedWitness& witness, const std::string& reason,
                                      const std::optional<std::string>& id) const;
  [[nodiscard]] std::string json_line(const Finding& finding, const PrintedWitness& witness, const std::string& reason,
                                      const std::optional<std::string>& id) const;

  const Schema& schema_;
  bool is_json_;
  std::optional<SqlDialect> dialect_;
  bool are_windows_;
  const RowNumbers& numbers_;
  const RowNumbers& of_impostors_;
  /// The names of the columns as JSON.
  std::vector<std::string> quoted_;
  /// By place, as far as they were needed.
  std::vector<std::optional<PrintedWitness>> witnesses_;
};

}  // namespace pidforest::cli
