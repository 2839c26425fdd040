// SPDX-License-Identifier: Apache-2.0
// Which scores are called anomalies.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

namespace pidforest {

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

  /// Where anomalies begin, if anywhere.
  [[nodiscard]] std::optional<double> border() const { return min_bits ? min_bits : threshold; }

  /// The most bits that are normal: with exactly `min_bits` a row is an anomaly, with exactly the threshold it is not.
  [[nodiscard]] std::optional<double> most_normal() const {
    return min_bits ? std::optional(std::nextafter(*min_bits, -std::numeric_limits<double>::infinity())) : threshold;
  }
};

}  // namespace pidforest
