// SPDX-License-Identifier: Apache-2.0
// The usual values of each metric of a stream at each half hour of the day and of the week, learned event by event.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pidforest::stream {

/// A half hour's usual value follows the means of the metric in it, day after day or week after week, each with an
/// eighth of the weight. A mean that is more than three usual distances away counts as that far.
class LearnedSeason {
 public:
  static constexpr std::size_t per_day = 48;
  static constexpr std::size_t per_week = 7 * per_day;

  explicit LearnedSeason(std::size_t n_metrics) : metrics_(n_metrics) {}

  /// The values of the metrics at `time`, in microseconds of the local clock, minus what is usual then: in the half
  /// hour of the week if that is known to be nearer, else of the day. Missing in a half hour that has not been learned.
  void minus_usual(std::span<const double> values, std::int64_t time, std::span<double> differences) const;
  /// Learns the values at `time`. Returns whether a day has begun, so that a season may have become known.
  bool learn(std::span<const double> values, std::int64_t time);
  /// Whether the metric has a season: since a day on which at least 3 days were behind, and their usual values were at
  /// least twice as near to the metric as its level was.
  [[nodiscard]] bool is_known(std::size_t metric) const { return metrics_[metric].known != Known::nothing; }

  /// As numbers, for a saved stream.
  [[nodiscard]] std::vector<double> saved() const;
  /// Restores what `saved` returned. Throws BadFile.
  void restore(std::span<const double> saved);

 private:
  enum class Known : std::uint8_t { nothing, day, week };

  /// A value that follows others, and how far they usually are from it.
  struct Usual {
    double value = 0;
    double n = 0;
  };
  struct Distance {
    double mean = 0;
    /// Counts none as more than ten times what it was.
    double usual = 0;
    double n = 0;

    void learn(double distance);
  };
  struct Metric {
    std::array<Usual, per_day + per_week> cells = {};
    Usual level = {};
    Distance from_day = {};
    Distance from_week = {};
    Distance from_level = {};
    /// The values in the half hour that has not ended.
    double sum = 0;
    double n = 0;
    Known known = Known::nothing;
  };

  static void learn(Usual& usual, Distance& distance, double mean, double least_weight);
  void end_half_hour();
  void judge(Metric& metric) const;

  std::vector<Metric> metrics_;
  bool has_time_ = false;
  /// Since 1970.
  std::int64_t half_hour_ = 0;
  double n_days_ = 0;
};

}  // namespace pidforest::stream
