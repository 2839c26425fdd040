// SPDX-License-Identifier: Apache-2.0
// A stream that is warm: the forest over its horizon, how trees are grown anew, and the threshold that follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/series.h"
#include "series/sliding_forest.h"
#include "series/stream_rows.h"

namespace pidforest::series {

class SlidingModel {
 public:
  SlidingModel(const StreamOptions& options, Schema events);

  [[nodiscard]] StreamRows& rows() { return rows_; }
  [[nodiscard]] const StreamRows& rows() const { return rows_; }
  [[nodiscard]] const SlidingForest& forest() const { return forest_; }
  [[nodiscard]] std::optional<double> threshold() const { return threshold_; }

  /// Takes an event of the warm-up.
  void take(std::span<const double> event, bool ends_row) { forest_.take(event, ends_row); }
  /// Grows all trees on the rows taken so far. The threshold is set by the scores that they had without themselves.
  void begin();

  EventScore score(std::span<const double> event);
  /// Learns the event that was last scored.
  void learn_scored();
  /// Learns an event that ends no row.
  void take_partial(std::span<const double> event) { forest_.take(event, false); }

  /// See Stream.
  [[nodiscard]] Witness explain_last() const;

  /// What must be kept of it besides its rows and trees.
  struct Clock {
    std::uint64_t n_grown = 0;
    std::uint64_t n_since_grown = 0;
    std::uint64_t n_since_threshold = 0;
    std::uint64_t n_scores = 0;
  };
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] const std::vector<double>& scores() const { return scores_; }
  [[nodiscard]] bool is_last_learned() const { return is_last_learned_; }
  /// Puts it all back, once the rows are taken.
  void restore(std::vector<RootedTree> trees, std::vector<double> medians, const Clock& clock,
               std::vector<double> scores, std::optional<double> threshold);

 private:
  void keep_score(double bits);
  void find_threshold();
  void grow_tree(std::size_t place);

  StreamOptions options_;
  StreamRows rows_;
  SlidingForest forest_;
  Clock clock_;
  /// Those of the last rows, as they were before the rows were learned; the one with number i at i modulo the horizon.
  std::vector<double> scores_;
  double last_score_ = 0;
  bool is_last_learned_ = false;
  std::optional<double> threshold_;
};

}  // namespace pidforest::series
