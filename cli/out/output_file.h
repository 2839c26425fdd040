// SPDX-License-Identifier: Apache-2.0
// Results out: to the standard output, or to a file that is there whole or not at all.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "system/atomic_file.h"

namespace pidforest::cli {

/// The reader of our output has gone; there is nobody to tell.
class PipeClosed : public std::runtime_error {
 public:
  PipeClosed() : std::runtime_error("the pipe is closed") {}
};

/// Writes all of `text` to the standard output. Throws FileError or PipeClosed.
void write_stdout(std::string_view text);

/// Adds --output, "-" without it, to a verb; `path` must live as long as it does.
void add_output_flag(CLI::App& verb, std::string& path);

class OutputFile {
 public:
  /// "-" is the standard output. Throws FileError if the file cannot be written.
  explicit OutputFile(const std::string& path);

  /// Throws FileError, or PipeClosed.
  void write(std::string_view text);
  /// To be called once, last: without it a file stays as it was. Throws what `write` throws.
  void commit();

 private:
  /// None for the standard output.
  std::optional<system::AtomicFile> file_;
  /// Not yet written to the standard output.
  std::string pending_;
};

}  // namespace pidforest::cli
