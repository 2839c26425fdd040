// SPDX-License-Identifier: Apache-2.0
// Columns named by flags: the label and the row identifier.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pidforest/table.h"

namespace pidforest::cli {

/// Throws InvalidInput that names the flag and the available columns.
const Column& column_of(const Table& table, const std::string& name, std::string_view flag);

/// Reads the labels of known anomalies: 0 and 1, no and yes, false and true in any case, or two words of which one is
/// named.
class LabelReader {
 public:
  /// `anomaly_word` is the word that marks an anomaly, or empty.
  explicit LabelReader(std::string anomaly_word) : anomaly_word_(std::move(anomaly_word)) {}

  /// Appends one label per row, true for an anomaly. `labels` has the labels of the earlier rows. Throws InvalidInput
  /// for any other value, and for a second word beside the named one.
  void append(const Column& column, std::size_t n_rows, std::vector<bool>& labels);

 private:
  /// Nullopt if the text is no label.
  std::optional<bool> label_of(const std::string& text);
  [[nodiscard]] std::string allowed() const;

  std::string anomaly_word_;
  /// The word of the other rows, once one was seen.
  std::optional<std::string> normal_word_ = {};
};

/// A value as written in the file, the shortest text of a number, "true" or "false", or a time such as 2026-11-16 08:30
/// (with a Z unless it is local); empty if it is missing.
std::string text_of(const Column& column, std::size_t row);

}  // namespace pidforest::cli
