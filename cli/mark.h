// SPDX-License-Identifier: Apache-2.0
// Which scores are called anomalies.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "option_flags.h"

namespace pidforest::cli {

struct Mark {
  /// More than this is an anomaly: the model's own threshold.
  std::optional<double> threshold = {};
  /// At least this is one: what the user asked for, which comes first.
  std::optional<double> min_bits = {};

  /// Nothing if there is no threshold of either kind.
  [[nodiscard]] std::optional<bool> is_anomaly(double bits) const {
    if (min_bits) return bits >= *min_bits;
    return threshold ? std::optional(bits > *threshold) : std::nullopt;
  }
};

inline void add_min_bits_flag(CLI::App& verb, std::optional<double>& min_bits) {
  verb.add_option("--min-bits", min_bits,
                  "call rows with at least so many bits anomalies, whatever the model's threshold")
      ->type_name("X")
      ->check(number());
}

}  // namespace pidforest::cli
