// SPDX-License-Identifier: Apache-2.0
#include "out/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "pidforest/error.h"

namespace pidforest::cli {

std::size_t line_width() {
  const char* const columns = std::getenv("COLUMNS");
  const std::string_view text = columns == nullptr ? "" : columns;
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (error == std::errc() && end == text.data() + text.size() && width > 0) return width;
  winsize size = {};
  const bool is_known = isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : whole_lines;
}

bool wants_colour(const std::string& when) {
  if (when == "always" || when == "never") return when == "always";
  if (when != "auto") throw InvalidOption(fmt::format("--color must be one of auto, always, never; got {}.", when));
  const char* no_colour = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) != 0 && (no_colour == nullptr || *no_colour == '\0');
}

}  // namespace pidforest::cli
