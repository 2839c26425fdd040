// SPDX-License-Identifier: Apache-2.0
#include "out/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "pidforest/error.h"

namespace pidforest::cli {

std::size_t line_width() {
  constexpr std::size_t when_not_a_terminal = 100;
  winsize size = {};
  const bool is_known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : when_not_a_terminal;
}

bool wants_colour(const std::string& when) {
  if (when == "always" || when == "never") return when == "always";
  if (when != "auto") throw InvalidOption(fmt::format("--color must be one of auto, always, never; got {}.", when));
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace pidforest::cli
