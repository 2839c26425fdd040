// SPDX-License-Identifier: Apache-2.0
// The layout of the help: lines that fit a terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pidforest::cli {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat();
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override;
  [[nodiscard]] std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace pidforest::cli
