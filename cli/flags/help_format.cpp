// SPDX-License-Identifier: Apache-2.0
#include "flags/help_format.h"

#include <CLI/CLI.hpp>
#include <sstream>

namespace pidforest::cli {

namespace {

constexpr std::size_t names_width = 28;
constexpr std::size_t line_width = 100;

/// Wraps a text into lines of at most `width` characters; longer words keep a line of their own.
std::string wrapped(const std::string& text, std::size_t width) {
  std::string lines;
  std::size_t used = 0;
  std::istringstream rest(text);
  for (std::string word; rest >> word; used += word.size()) {
    const bool fits = used + 1 + word.size() <= width;
    if (used > 0) lines += fits ? ' ' : '\n';
    used = used > 0 && fits ? used + 1 : 0;
    lines += word;
  }
  return lines;
}

}  // namespace

HelpFormat::HelpFormat() { column_width(names_width); }

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (!option->get_positional()) return Formatter::make_option_opts(option);
  const bool says_more = option->get_type_name().find('|') != std::string::npos;
  return says_more ? " " + option->get_type_name() : "";
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), line_width - names_width);
}

}  // namespace pidforest::cli
