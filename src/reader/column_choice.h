// SPDX-License-Identifier: Apache-2.0
// Which columns of a table of text are read, and as what.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "pidforest/reader.h"
#include "reader/row_batch.h"

namespace pidforest::reader {

class ColumnChoice {
 public:
  explicit ColumnChoice(const ColumnSelection& selection);

  [[nodiscard]] bool has_schema() const { return has_schema_; }
  /// The names that the schema wants read, and then those that are asked for besides.
  [[nodiscard]] std::vector<std::string> asked_for() const;

  [[nodiscard]] TextColumn column(const std::string& name) const;
  /// Whether somebody says what to do with a column of this name; without a schema everybody does.
  [[nodiscard]] bool is_named(const std::string& name) const {
    return !has_schema_ || all_as_text_ || by_name_.contains(name);
  }

  /// Throws InvalidInput if a column that is asked for is not in the header row.
  void check_header(const std::vector<std::string>& names) const;
  /// The same for the keys of JSON lines, of which only one that the schema names must be there.
  void check_keys(const std::vector<std::string>& names) const;

 private:
  bool has_schema_;
  bool all_as_text_;
  std::vector<std::string> ignored_;
  std::vector<std::string> wanted_;
  std::vector<std::string> besides_;
  std::unordered_map<std::string, Reading> by_name_;
};

}  // namespace pidforest::reader
