// SPDX-License-Identifier: Apache-2.0
// The flag that sets how many bits make a row an anomaly.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "flags/option_flags.h"

namespace pidforest::cli {

inline void add_min_bits_flag(CLI::App& verb, std::optional<double>& min_bits) {
  verb.add_option("--min-bits", min_bits,
                  "flag rows with at least X bits as anomalies; overrides the threshold of the model")
      ->type_name("X")
      ->check(number());
}

}  // namespace pidforest::cli
