// SPDX-License-Identifier: Apache-2.0
// Writes the lines of a stream with their findings, each immediately.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// The finding of a line.
struct Finding {
  std::optional<double> score = {};
  std::optional<bool> is_anomaly = {};
  std::string reason = {};
};

/// Extends lines: CSV by fields, JSON by members.
struct LineForm {
  bool is_json = false;
  char delimiter = ',';
  bool excel_safe = false;

  [[nodiscard]] std::string header(std::string_view line) const;
  [[nodiscard]] std::string extended(std::string_view line, const Finding& finding) const;
};

/// The names of the added columns.
bool is_name_of_finding(std::string_view name);

class LinesOut {
 public:
  /// "-" is standard output. A file must have at least `n_kept` bytes and is truncated to them.
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
