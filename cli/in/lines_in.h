// SPDX-License-Identifier: Apache-2.0
// Lines of a file or of standard input, one at a time as they arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "in/fingerprint.h"
#include "in/input_file.h"
#include "pidforest/options.h"

namespace pidforest::cli {

/// How far an input was read.
struct LinesPosition {
  /// The number of bytes of all whole lines, with their ends, and the number of lines.
  std::uint64_t n_bytes = 0;
  std::uint64_t n_lines = 0;
  /// The bytes after them, of a line without its end; `n_dropped` more bytes came before if the line is too long.
  std::string rest = {};
  std::uint64_t n_dropped = 0;
  /// The fingerprint of the whole lines, and of the whole lines and the dropped bytes.
  std::uint64_t fingerprint = Fingerprint().value();
  std::uint64_t dropped_fingerprint = Fingerprint().value();

  /// The number of all bytes that were read.
  [[nodiscard]] std::uint64_t n_read() const { return n_bytes + n_dropped + rest.size(); }
};

class LinesIn {
 public:
  /// Longer lines are truncated and therefore not valid rows.
  static constexpr std::size_t longest_line = std::size_t{1} << 24;

  /// At the end of the input, a line without its end is taken as it is, or waits: a later run reads its rest.
  enum class LastLine : bool { is_whole, waits };

  /// `run` must outlive this. Throws what InputFile throws.
  LinesIn(const std::string& path, const Run& run, LastLine last) : file_(path, run), last_(last) {}

  /// Waits for the next line and returns it without its end, valid until the next call; nullopt at the end. Throws
  /// FileError, InvalidInput for damaged compressed data, or Cancelled.
  std::optional<std::string_view> next();

  [[nodiscard]] std::uint64_t n_lines() const { return n_lines_; }
  [[nodiscard]] LinesPosition position() const;

  /// Takes the input, which is still unread, for the continuation of one that was read up to `position`.
  void begin_after(const LinesPosition& position);
  /// Skips the whole lines up to `position`. Throws InvalidInput if the input is shorter or has other bytes.
  void skip(const LinesPosition& position);

 private:
  bool read_more();

  InputFile file_;
  LastLine last_;
  std::vector<char> room_;
  std::string buffer_;
  /// The position in the buffer up to which lines were returned.
  std::size_t begin_ = 0;
  std::uint64_t n_dropped_ = 0;
  std::uint64_t n_bytes_ = 0;
  std::uint64_t n_lines_ = 0;
  /// The bytes of all returned lines, and then also the dropped bytes of the next line.
  Fingerprint fingerprint_;
  Fingerprint dropped_fingerprint_;
};

}  // namespace pidforest::cli
