// SPDX-License-Identifier: Apache-2.0
#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "pidforest/error.h"

namespace pidforest::cli {

namespace {

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

void write_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
    if (n >= 0)
      text.remove_prefix(static_cast<std::size_t>(n));
    else if (errno == EPIPE)
      throw PipeClosed();
    else if (errno != EINTR)
      throw FileError(fmt::format("cannot write the output: {}.", reason(errno)));
  }
}

}  // namespace pidforest::cli
