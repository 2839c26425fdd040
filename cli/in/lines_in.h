// SPDX-License-Identifier: Apache-2.0
// Lines of a file or of standard input, one at a time as they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "in/input_file.h"
#include "pidforest/options.h"

namespace pidforest::cli {

class LinesIn {
 public:
  /// Longer lines are truncated and therefore not valid rows.
  static constexpr std::size_t longest_line = std::size_t{1} << 24;

  /// `run` must outlive this. Throws what InputFile throws.
  LinesIn(const std::string& path, const Run& run) : file_(path, run) {}

  /// Waits for the next line and returns it without its end, valid until the next call; nullopt at the end. Throws
  /// FileError, InvalidInput for damaged compressed data, or Cancelled.
  std::optional<std::string_view> next();

  /// The number of bytes of all lines so far, with their ends, and the number of lines.
  [[nodiscard]] std::uint64_t n_bytes() const { return n_bytes_; }
  [[nodiscard]] std::uint64_t n_lines() const { return n_lines_; }

  /// Sets the position of the input in its source, if it does not start at its beginning.
  void begin_at(std::uint64_t n_bytes, std::uint64_t n_lines);
  /// Skips `n_bytes` bytes, which end with the end of line `n_lines`. Throws InvalidInput if there are fewer.
  void skip(std::uint64_t n_bytes, std::uint64_t n_lines);

 private:
  bool read_more();

  InputFile file_;
  std::string buffer_;
  /// The position in the buffer up to which lines were returned.
  std::size_t begin_ = 0;
  /// The number of dropped bytes of a line that is too long.
  std::uint64_t n_cut_ = 0;
  std::uint64_t n_bytes_ = 0;
  std::uint64_t n_lines_ = 0;
};

}  // namespace pidforest::cli
