// SPDX-License-Identifier: Apache-2.0
// Flags that verbs share: the columns to leave out, and the options of a forest, which are --preset and one flag for
// every option that is declared.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pidforest/options.h"

namespace pidforest::cli {

/// What was given on the command line, as it was given.
struct OptionFlags {
  std::string preset = "default";
  /// What the preset `default` stands for.
  Options defaults = {};
  /// The text given for each of `option_specs()`, if any.
  std::vector<std::optional<std::string>> given = std::vector<std::optional<std::string>>(option_specs().size());

  /// The preset, changed by what was given. Throws InvalidOption.
  [[nodiscard]] Options options() const;
};

/// Adds the flags to a verb; `flags` must live as long as it does.
void add_option_flags(CLI::App& verb, OptionFlags& flags);

/// Adds --ignore to a verb; `ignore` must live as long as it does.
void add_ignore_flag(CLI::App& verb, std::vector<std::string>& ignore);

/// Adds MODEL, which is required, to a verb that reads a model; `file` must live as long as it does.
void add_model_argument(CLI::App& verb, std::string& file);

/// Accepts numbers.
CLI::Validator number();

/// Accepts whole numbers from `low` to `high`.
CLI::Validator whole_number(std::int64_t low, std::int64_t high);

}  // namespace pidforest::cli
