// SPDX-License-Identifier: Apache-2.0
// The lines of a stream with what was found, each written at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pidforest::cli {

/// What is said of a line.
struct Verdict {
  std::optional<double> score = {};
  std::optional<bool> is_anomaly = {};
  std::string reason = {};
};

/// How lines are extended: CSV by fields, JSON by members.
struct LineForm {
  bool is_json = false;
  char delimiter = ',';
  bool excel_safe = false;

  [[nodiscard]] std::string header(std::string_view line) const;
  [[nodiscard]] std::string extended(std::string_view line, const Verdict& verdict) const;
};

/// The names that findings have.
bool is_name_of_finding(std::string_view name);

class LinesOut {
 public:
  /// "-" is the standard output. A file keeps its first `n_kept` bytes, which must be there, and loses the others.
  /// Throws FileError, or InvalidInput if the file is shorter.
  LinesOut(const std::string& path, std::uint64_t n_kept);
  ~LinesOut();
  LinesOut(const LinesOut&) = delete;
  LinesOut& operator=(const LinesOut&) = delete;
  LinesOut(LinesOut&&) = delete;
  LinesOut& operator=(LinesOut&&) = delete;

  /// Throws FileError, or PipeClosed.
  void write(std::string_view text);
  /// Safe from a loss of power, if it is a file. Throws FileError.
  void sync() const;
  /// The bytes so far, with those that were kept.
  [[nodiscard]] std::uint64_t n_bytes() const { return n_bytes_; }

 private:
  std::string path_;
  int descriptor_ = 1;  // the standard output
  std::uint64_t n_bytes_;
};

}  // namespace pidforest::cli
