// SPDX-License-Identifier: Apache-2.0
// Texts out to the standard output.
#pragma once

#include <stdexcept>
#include <string_view>

namespace pidforest::cli {

/// The reader of our output has gone; there is nobody to tell.
class PipeClosed : public std::runtime_error {
 public:
  PipeClosed() : std::runtime_error("the pipe is closed") {}
};

/// Writes all of `text` to the standard output. Throws FileError or PipeClosed.
void write_stdout(std::string_view text);

}  // namespace pidforest::cli
