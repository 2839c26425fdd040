// SPDX-License-Identifier: Apache-2.0
// A forest over the last rows of a stream whose trees are grown again, one after the other. Trees take turns over the
// views: each cuts only the axes of its view.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/forest.h"
#include "pidforest/options.h"
#include "schema/encode.h"
#include "stream/sliding_forest.h"
#include "stream/sliding_rows.h"

namespace pidforest::stream {

class RenewedForest {
 public:
  /// How a forest grows its trees again.
  struct Renewal {
    /// All trees are renewed, one after the other, while this many horizons fill with new rows. Growing takes most of
    /// the time, and a tree whose counts and root cube follow the stream ages slowly.
    std::size_t horizons = 2;
    /// Forests of one stream that have different first keys draw differently.
    std::uint32_t first_key = 0;
  };

  RenewedForest(const Options& options, SlidingRows rows, const Renewal& renewal);

  [[nodiscard]] const SlidingForest& sliding() const { return forest_; }

  /// Begins again with other rows, of which none is taken yet.
  void look_at(SlidingRows rows);
  /// Takes a sample that was not scored.
  void take(std::span<const double> sample, bool ends_row) { forest_.take(sample, ends_row); }
  /// Grows all trees on the rows taken so far. The axes of the rows are those of the encoder, here and below. The
  /// forest takes the isolated values of `wider`, which knows more rows, or finds its own if that is null.
  void begin(const schema::Encoder& rows, const SlidingForest* wider);
  double score_next(std::span<const double> sample) { return forest_.score_next(sample); }
  double score_without_itself(std::size_t row) { return forest_.score_without_itself(row); }
  /// Learns the sample that was last scored, and renews a tree when it is time.
  void learn_scored(const schema::Encoder& rows, const SlidingForest* wider);
  void find_medians() { forest_.find_medians(); }

  /// What a saved stream needs in addition to the rows.
  struct Clock {
    std::uint64_t n_grown = 0;
    std::uint64_t n_since_grown = 0;
  };
  struct Saved {
    std::vector<forest::Tree> trees;
    std::vector<forest::Root> roots;
    std::vector<geometry::IsolatedParts> isolated;
    std::vector<double> medians;
    Clock clock;
  };
  [[nodiscard]] const Clock& clock() const { return clock_; }
  /// Restores a forest whose rows were taken.
  void restore(Saved saved);

 private:
  void grow_tree(std::size_t place, const schema::Encoder& rows);
  /// Finds the isolated values of the horizon, if the options ask for them.
  void find_isolated_values(const schema::Encoder& rows, const SlidingForest* wider);
  /// The features that the tree at a place may cut.
  [[nodiscard]] std::vector<std::size_t> view_of(std::size_t place) const;

  Options options_;
  Renewal renewal_;
  SlidingForest forest_;
  Clock clock_;
};

}  // namespace pidforest::stream
