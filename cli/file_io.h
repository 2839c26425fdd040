// SPDX-License-Identifier: Apache-2.0
// Whole texts in from files and out to the standard output.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "pidforest/error.h"
#include "pidforest/run.h"

namespace pidforest::cli {

/// The reader of our output has gone; there is nobody to tell.
class PipeClosed : public std::runtime_error {
 public:
  PipeClosed() : std::runtime_error("the pipe is closed") {}
};

/// All bytes of a file; "-" is the standard input. Throws FileError, or Cancelled as `run` says.
std::string read_file(const std::string& path, const Run& run);

/// Writes all of `text` to the standard output. Throws FileError or PipeClosed.
void write_stdout(std::string_view text);

}  // namespace pidforest::cli
