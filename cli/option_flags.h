// SPDX-License-Identifier: Apache-2.0
// Flags that set the options of a forest: --preset, and one flag for every option that is declared.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pidforest/options.h"

namespace pidforest::cli {

/// What was given on the command line, as it was given.
struct OptionFlags {
  std::string preset = "default";
  /// Names and texts of the options that were given.
  std::vector<std::pair<std::string, std::string>> given;

  /// The preset, changed by what was given. Throws InvalidOption.
  [[nodiscard]] Options options() const;
};

/// Adds the flags to a verb; `flags` must live as long as it does.
void add_option_flags(CLI::App& verb, OptionFlags& flags);

/// Accepts whole numbers from `low` to `high`.
CLI::Validator whole_number(std::int64_t low, std::int64_t high);

}  // namespace pidforest::cli
