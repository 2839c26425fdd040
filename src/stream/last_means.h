// SPDX-License-Identifier: Apache-2.0
// Means of the metrics of a stream over their last values.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pidforest::stream {

/// A mean is that of the values of a segment so far until there are as many as it spans. Missing values do not count.
class LastMeans {
 public:
  LastMeans(std::size_t n_metrics, std::vector<std::size_t> spans);

  /// Means per metric: one for each of the spans.
  [[nodiscard]] std::size_t n_means() const { return n_metrics_ * spans_.size(); }
  /// The means that end with these values, one per metric, as if they came next: metric by metric.
  void of_next(std::span<const double> values, std::span<double> means) const;
  void learn(std::span<const double> values);
  /// Forgets the values so far.
  void start_segment() { before_.assign(n_metrics_, {}); }

  /// The values that later means need, for a saved stream: metric by metric.
  [[nodiscard]] std::vector<double> saved() const;
  /// Restores what `saved` returned. Throws BadFile.
  void restore(std::span<const double> saved);

 private:
  /// How many values before the next one later means need.
  [[nodiscard]] std::size_t most_before() const;

  std::size_t n_metrics_;
  std::vector<std::size_t> spans_;
  /// The last values of each metric, up to twice as many as needed: the older ones are dropped now and then.
  std::vector<std::vector<double>> before_;
};

}  // namespace pidforest::stream
