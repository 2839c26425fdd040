// SPDX-License-Identifier: Apache-2.0
// Metrics of a stream that stop having values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pidforest::stream {

/// A metric that had values has vanished with its 32nd missing value in a row, or with the one that makes the gap twice
/// as long as its longest gap before. It rings at this event only, so that n events have at most log2(n / 16) alarms
/// of a metric.
class VanishedMetrics {
 public:
  explicit VanishedMetrics(std::size_t n_metrics) : metrics_(n_metrics) {}

  /// The metrics that vanish with these values, one per metric, if they come next.
  [[nodiscard]] std::vector<std::size_t> vanishing(std::span<const double> values) const;
  void learn(std::span<const double> values);

  /// As numbers, for a saved stream; empty if no metric has ever had a gap.
  [[nodiscard]] std::vector<std::uint64_t> saved() const;
  /// Restores what `saved` returned. Throws BadFile.
  void restore(std::span<const std::uint64_t> saved);

 private:
  struct Metric {
    /// Missing values in a row, up to the last event.
    std::uint64_t gap = 0;
    std::uint64_t longest_gap = 0;
    bool had_values = false;
  };

  std::vector<Metric> metrics_;
};

}  // namespace pidforest::stream
