// SPDX-License-Identifier: Apache-2.0
// Chooses which columns of a text table are read, and their types.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pidforest/reader.h"
#include "reader/row_batch.h"
#include "values/name_pattern.h"

namespace pidforest::reader {

class ColumnChoice {
 public:
  explicit ColumnChoice(const ColumnSelection& selection);

  [[nodiscard]] bool has_schema() const { return has_schema_; }
  /// The names of the columns that the schema reads, followed by the additionally requested ones.
  [[nodiscard]] std::vector<std::string> asked_for() const;

  [[nodiscard]] TextColumn column(const std::string& name) const;
  /// True if the schema or the selection names the column; always true without a schema.
  [[nodiscard]] bool is_named(const std::string& name) const {
    return !has_schema_ || all_as_text_ || by_name_.contains(name) || values::matches_any(ignored_, name);
  }

  /// Throws InvalidInput if a requested column is not in the header row, or a pattern matches none.
  void check_header(const std::vector<std::string>& names) const;
  /// Like check_header, for the keys of JSON lines: only one of the schema's columns must be present, and ignored names
  /// need not be.
  void check_keys(const std::vector<std::string>& names) const;

 private:
  bool has_schema_;
  bool all_as_text_;
  std::vector<std::string> ignored_;
  std::vector<std::string> only_;
  std::vector<std::string> wanted_;
  std::vector<std::string> besides_;
  std::unordered_map<std::string, FieldType> by_name_;
};

}  // namespace pidforest::reader
