// SPDX-License-Identifier: Apache-2.0
// Writes results to standard output, or atomically to a file.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "system/atomic_file.h"

namespace CLI {
class App;
}  // namespace CLI

namespace pidforest::cli {

/// The reader closed the pipe; the command then ends silently.
class PipeClosed : public std::runtime_error {
 public:
  PipeClosed() : std::runtime_error("the pipe is closed") {}
};

/// Writes all of `text` to standard output. A terminal gets `printable_lines` of it, so that no data can control the
/// terminal. Throws FileError or PipeClosed.
void write_stdout(std::string_view text);
/// Writes `text`, which contains colours of our own and no data that is not `printable`. Throws FileError or
/// PipeClosed.
void write_styled(std::string_view text);

/// Adds --output (default "-") to a verb; `path` must live as long as it does.
void add_output_flag(CLI::App& verb, std::string& path);

class OutputFile {
 public:
  /// "-" is standard output. Throws FileError if the file cannot be written.
  explicit OutputFile(const std::string& path);

  /// Throws FileError, or PipeClosed.
  void write(std::string_view text);
  /// Call once, last: otherwise the file stays unchanged. Throws what `write` throws.
  void commit();

 private:
  /// None for standard output.
  std::optional<system::AtomicFile> file_;
  /// Not yet written to standard output.
  std::string pending_;
};

}  // namespace pidforest::cli
