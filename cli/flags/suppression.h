// SPDX-License-Identifier: Apache-2.0
// Reasons that are known: rows that they hold are scored, but not reported as anomalies.
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
  /// Reads a file of rules; there are none without a name. A JSON array, each element the conditions of a rule or a
  /// witness as --json prints it. `schema` is a model's. Throws FileError, or InvalidInput that names the rule.
  Suppression(const std::string& path, const Schema& schema, const Run& run);

  /// For each row whether a rule holds it.
  [[nodiscard]] std::vector<bool> matches(const Table& batch) const;

 private:
  std::vector<RowFilter> rules_;
};

/// Adds --suppress to a verb; `file` must live as long as it does.
void add_suppress_flag(CLI::App& verb, std::string& file);

}  // namespace pidforest::cli
