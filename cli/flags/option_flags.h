// SPDX-License-Identifier: Apache-2.0
// Flags shared by verbs: the excluded columns, and the options of a forest (--preset and one flag for every declared
// option).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flags/cli11.h"
#include "pidforest/options.h"

namespace pidforest::cli {

/// The options as given on the command line.
struct OptionFlags {
  std::string preset = "default";
  /// The options of the preset `default`.
  Options defaults = {};
  /// The text given for each of `option_specs()`, if any.
  std::vector<std::optional<std::string>> given = std::vector<std::optional<std::string>>(option_specs().size());

  /// --no-reasons, short for --reasons off.
  bool no_reasons = false;

  /// The preset with the given options applied. Throws InvalidOption.
  [[nodiscard]] Options options() const;
};

/// The flag of an option: n_estimators has --n-estimators.
std::string flag_of(const OptionSpec& spec);

/// Adds the flags to a verb; `flags` must live as long as it does.
void add_option_flags(CLI::App& verb, OptionFlags& flags);

/// Adds --ignore to a verb; `ignore` must live as long as it does.
void add_ignore_flag(CLI::App& verb, std::vector<std::string>& ignore);

/// Adds MODEL, which is required, to a verb that reads a model; `file` must live as long as it does.
void add_model_argument(CLI::App& verb, std::string& file);

/// Adds --min-bits, the number of bits that makes a row an anomaly, to a verb; `min_bits` must live as long as it does.
void add_min_bits_flag(CLI::App& verb, std::optional<double>& min_bits);

/// Adds --fail-on-anomaly to a verb; `fail` must live as long as it does.
void add_fail_flag(CLI::App& verb, bool& fail);

/// Throws InvalidOption if --fail-on-anomaly is given and no limit says which rows are anomalies.
void check_fail_flag(bool fail, bool has_limit);

/// Accepts numbers.
CLI::Validator number();

/// Accepts whole numbers from `low` to `high`.
CLI::Validator whole_number(std::int64_t low, std::int64_t high);

}  // namespace pidforest::cli
