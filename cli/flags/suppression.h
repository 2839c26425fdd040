// SPDX-License-Identifier: Apache-2.0
// Suppression rules: rows that match one are scored, but not reported as anomalies.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest::cli {

class Suppression {
 public:
  /// Reads a file of rules: a JSON array whose elements are the conditions of a rule, or a witness as printed by
  /// --json. An empty name means no rules. `schema` is the schema of a model. Throws FileError, or InvalidInput that
  /// names the rule.
  Suppression(const std::string& path, const Schema& schema, const Run& run);

  /// Whether each row matches a rule.
  [[nodiscard]] std::vector<bool> matches(const Table& batch) const;

 private:
  std::vector<RowFilter> rules_;
};

/// Adds --suppress to a verb; `file` must live as long as it does.
void add_suppress_flag(CLI::App& verb, std::string& file);

}  // namespace pidforest::cli
