// SPDX-License-Identifier: Apache-2.0
// The lines of a stream with their findings, each written at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pidforest/series.h"

namespace pidforest::cli {

/// The score of a line and the reasons for it.
struct EventFinding {
  std::optional<double> score = {};
  std::optional<bool> is_anomaly = {};
  std::string reason = {};
  /// Set for anomalies. The conditions and columns refer to the schema, which must outlive this.
  std::optional<Witness> witness = {};
  const Schema* schema = nullptr;
  /// Set for anomalies. What would make the event normal is sought only if findings are written as JSON.
  std::optional<Finding> reasons = {};
};

/// How lines are extended: CSV by fields, JSON by members. Or findings are JSON, with the line as a member.
struct LineForm {
  bool are_events_json = false;
  bool is_finding_json = false;
  char delimiter = ',';
  bool excel_safe = false;

  /// The header row of the output for that of the input; empty where the output is JSON.
  [[nodiscard]] std::string header(std::string_view line) const;
  /// A line like those of the input, without its end, that has these fields and no others. `names` are all columns of
  /// CSV.
  [[nodiscard]] std::string line_of(const std::vector<std::string>& names,
                                    const std::map<std::string, std::string>& fields) const;
  /// `number` is that of the line in the input.
  [[nodiscard]] std::string extended(std::string_view line, std::uint64_t number, const EventFinding& finding) const;
};

/// Whether findings add a field of this name to lines.
bool is_name_of_finding(std::string_view name);

class LinesOut {
 public:
  /// "-" is the standard output. A file is cut to its first `n_kept` bytes, which must be there.
  /// Throws FileError, or InvalidInput if the file is shorter.
  LinesOut(const std::string& path, std::uint64_t n_kept);
  ~LinesOut();
  LinesOut(const LinesOut&) = delete;
  LinesOut& operator=(const LinesOut&) = delete;
  LinesOut(LinesOut&&) = delete;
  LinesOut& operator=(LinesOut&&) = delete;

  /// Throws FileError, or PipeClosed.
  void write(std::string_view text);
  /// Syncs a file to disk. Throws FileError.
  void sync() const;
  /// The number of bytes so far, including the kept ones.
  [[nodiscard]] std::uint64_t n_bytes() const { return n_bytes_; }

 private:
  std::string path_;
  int descriptor_ = 1;  // standard output
  std::uint64_t n_bytes_;
};

}  // namespace pidforest::cli
