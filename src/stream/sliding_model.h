// SPDX-License-Identifier: Apache-2.0
// A stream after its warm-up: the forest over its horizon, a second one over the last events, and the threshold that
// follows. An event has the lower of the two scores, less while the events before it score high.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/series.h"
#include "stream/even_step.h"
#include "stream/last_means.h"
#include "stream/learned_season.h"
#include "stream/recent_level.h"
#include "stream/renewed_forest.h"
#include "stream/stream_rows.h"
#include "stream/vanished_metrics.h"

namespace pidforest::stream {

class SlidingModel {
 public:
  /// `has_times` says whether events come with times, here and below.
  SlidingModel(const StreamOptions& options, Schema events, bool has_times);

  [[nodiscard]] StreamRows& rows() { return rows_; }
  [[nodiscard]] const StreamRows& rows() const { return rows_; }
  /// The forest over the horizon.
  [[nodiscard]] const SlidingForest& forest() const { return forest_.sliding(); }
  [[nodiscard]] const RenewedForest& renewed() const { return forest_; }
  /// The second forest, over the last events only, if there is one.
  [[nodiscard]] const std::optional<RenewedForest>& recent() const { return recent_; }
  [[nodiscard]] const RecentLevel& level() const { return level_; }
  [[nodiscard]] std::optional<double> threshold() const { return threshold_; }

  /// Learns an event that was not scored.
  void take(std::span<const double> event, std::optional<std::int64_t> time, bool ends_row);
  /// Grows all trees on the rows taken so far. Each row is scored as if it were not counted; these scores set the
  /// threshold.
  void begin();

  /// Scoring the same event again costs nothing.
  EventScore score(std::span<const double> event, std::optional<std::int64_t> time);
  /// Learns the event that was last scored.
  void learn_scored();
  /// No window, and no step between events, crosses this.
  void start_segment() {
    step_.start_segment();
    means_.start_segment();
  }

  // See Stream.
  [[nodiscard]] Model model() const;
  [[nodiscard]] Table last_window(const Table& event) const;
  [[nodiscard]] Witness explain_last() const;
  [[nodiscard]] Finding find_last(std::optional<double> most_normal) const;

  /// The counters that a saved stream needs in addition to its rows and trees.
  struct Clock {
    std::uint64_t n_since_threshold = 0;
    std::uint64_t n_scores = 0;
  };
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] const std::vector<double>& scores() const { return scores_; }

  [[nodiscard]] const std::optional<LearnedSeason>& season() const { return season_; }
  [[nodiscard]] const EvenStep& step() const { return step_; }
  [[nodiscard]] const LastMeans& means() const { return means_; }
  [[nodiscard]] const VanishedMetrics& vanished() const { return vanished_; }
  /// Which metrics rows have minus what is usual.
  void set_seasonal(std::span<const std::uint8_t> is_seasonal);
  /// Takes the samples of a saved stream.
  void take_samples(const PlainSamples& samples);

  /// What a saved stream has in addition to its samples.
  struct Saved {
    RenewedForest::Saved forest;
    /// Empty without a second forest.
    RenewedForest::Saved recent;
    Clock clock;
    std::vector<double> scores;
    RecentLevel level;
    /// Without a season it is empty.
    std::vector<double> season;
    EvenStep step;
    /// The values that later means need.
    std::vector<double> means;
    std::vector<std::uint64_t> vanished;
    std::optional<double> threshold;
  };
  /// Restores a stream whose samples were taken.
  void restore(Saved saved);

 private:
  /// `forest_bits` is the score by the forests alone.
  void keep_score(double forest_bits, double bits);
  void find_threshold();
  double score_without_itself(std::size_t row);
  [[nodiscard]] SlidingRows make_rows(std::size_t horizon) const;
  /// Makes the sample of an event, which has its numbers minus what is usual, and its means, too.
  void make_sample(std::span<const double> event, std::optional<std::int64_t> time);
  /// Learns the season of the last sample, its means, its gaps and its time.
  void learn_metrics();
  void look_at_known_seasons();
  void look_at_season(std::size_t metric);
  [[nodiscard]] PlainSamples samples_with(std::size_t metric) const;
  /// How many rows of the horizon lack the metrics that have vanished.
  [[nodiscard]] Witness witness_of_vanished() const;
  /// A root cube that has the axis on which the row that was last scored lies beyond all of them.
  [[nodiscard]] const forest::Root& root_that_knows_beyond() const;
  /// The place among the samples of the row that was last scored.
  [[nodiscard]] std::size_t last_row() const;

  StreamOptions options_;
  StreamRows rows_;
  std::optional<LearnedSeason> season_;
  EvenStep step_;
  LastMeans means_;
  VanishedMetrics vanished_;
  RenewedForest forest_;
  std::optional<RenewedForest> recent_;
  Clock clock_;
  /// The scores of the last rows, from before the rows were learned; score number i is at i modulo the horizon.
  std::vector<double> scores_;
  RecentLevel level_;
  double last_forest_bits_ = 0;
  double last_score_ = 0;
  /// The metrics that vanished with the event that was last scored.
  std::vector<std::size_t> last_vanished_;
  /// The sample that was made last, and its time.
  std::vector<double> sample_;
  std::optional<std::int64_t> time_;
  /// The values of the metrics in it.
  std::vector<double> metrics_;
  /// The sample that was last scored. After an event is learned its score is not that of the next one.
  std::vector<double> last_sample_;
  bool is_last_scored_ = false;
  bool is_last_learned_ = false;
  std::optional<double> threshold_;
};

}  // namespace pidforest::stream
