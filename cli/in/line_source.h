// SPDX-License-Identifier: Apache-2.0
// Where the lines of a stream come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "in/fingerprint.h"

namespace pidforest::cli {

/// The file that a position is in, if the input is a file that is followed through its rotations.
struct FollowedFile {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  /// When the file was last modified, in nanoseconds.
  std::uint64_t modified = 0;
  /// The number of lines of all files before it.
  std::uint64_t n_earlier_lines = 0;
};

/// How far an input was read.
struct LinesPosition {
  /// The number of bytes of all whole lines, with their ends, and the number of lines. The bytes of a file that is
  /// followed are those of `followed` only; the lines are those of all files.
  std::uint64_t n_bytes = 0;
  std::uint64_t n_lines = 0;
  /// The bytes after them, of a line without its end; `n_dropped` more bytes came before if the line is too long.
  std::string rest = {};
  std::uint64_t n_dropped = 0;
  /// The fingerprint of the whole lines, and of the whole lines and the dropped bytes.
  std::uint64_t fingerprint = Fingerprint().value();
  std::uint64_t dropped_fingerprint = Fingerprint().value();
  std::optional<FollowedFile> followed = {};

  /// The number of all bytes that were read.
  [[nodiscard]] std::uint64_t n_read() const { return n_bytes + n_dropped + rest.size(); }
};

class LineSource {
 public:
  LineSource() = default;
  virtual ~LineSource() = default;
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;
  LineSource(LineSource&&) = delete;
  LineSource& operator=(LineSource&&) = delete;

  /// The next line without its end, valid until the next call; nullopt if there is none, for good or for now. Throws
  /// FileError, InvalidInput for damaged compressed data, or Cancelled.
  virtual std::optional<std::string_view> next() = 0;
  /// After `next` has found no line: waits a moment for more. Returns false if none will come.
  virtual bool wait() { return false; }
  /// Lines like this one are left out where a later file begins with them.
  virtual void leave_out_later(std::string_view /*header*/) {}

  [[nodiscard]] virtual std::uint64_t n_lines() const = 0;
  [[nodiscard]] virtual LinesPosition position() const = 0;
  /// Goes on after `position`; call it before the first line. Throws InvalidInput if the input is shorter or has other
  /// bytes.
  virtual void resume(const LinesPosition& position) = 0;
  /// "the input", or the file that is read now, in quotes.
  [[nodiscard]] virtual std::string name() const { return "the input"; }
};

}  // namespace pidforest::cli
