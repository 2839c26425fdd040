// SPDX-License-Identifier: Apache-2.0
// Lines of a file or of the standard input, one at a time as they come.
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
  /// Longer ones are cut, and so no row.
  static constexpr std::size_t longest_line = std::size_t{1} << 24;

  /// `run` must outlive this. Throws what InputFile throws.
  LinesIn(const std::string& path, const Run& run) : file_(path, run) {}

  /// The next line without its end, valid until the next call; nothing at the end. Waits for it. Throws FileError,
  /// InvalidInput for damaged compressed data, or Cancelled.
  std::optional<std::string_view> next();

  /// The bytes of all lines so far, with their ends, and how many lines that is.
  [[nodiscard]] std::uint64_t n_bytes() const { return n_bytes_; }
  [[nodiscard]] std::uint64_t n_lines() const { return n_lines_; }

  /// Where the input begins, if that is not the beginning of its source.
  void begin_at(std::uint64_t n_bytes, std::uint64_t n_lines);
  /// Reads and forgets so many bytes, which end with the end of line `n_lines`. Throws InvalidInput if there are fewer.
  void skip(std::uint64_t n_bytes, std::uint64_t n_lines);

 private:
  bool read_more();

  InputFile file_;
  std::string buffer_;
  /// What of the buffer was given out.
  std::size_t begin_ = 0;
  /// Bytes of a line that is too long and were forgotten.
  std::uint64_t n_cut_ = 0;
  std::uint64_t n_bytes_ = 0;
  std::uint64_t n_lines_ = 0;
};

}  // namespace pidforest::cli
