// SPDX-License-Identifier: Apache-2.0
// A forest whose counts are those of the last rows of a stream: what comes is added, what goes is subtracted, and trees
// can be replaced one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "forest/tree.h"
#include "geometry/interval.h"
#include "geometry/part.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "series/sliding_rows.h"
#include "series/walk.h"

namespace pidforest::series {

/// A tree and the root cube that it was grown in, which is its own: trees are of different ages. The cube becomes
/// larger with what is learned beyond it.
struct RootedTree {
  forest::Tree tree;
  /// One interval per axis; without ends where the tree knows nothing of the axis.
  std::vector<geometry::Interval> root;
};

class SlidingForest {
 public:
  SlidingForest(const Options& options, SlidingRows rows);

  [[nodiscard]] const SlidingRows& rows() const { return rows_; }
  [[nodiscard]] const std::vector<RootedTree>& trees() const { return trees_; }

  /// Puts a tree at a place, the place behind the last or that of another tree, and counts the rows at hand.
  void plant(std::size_t place, RootedTree tree);

  /// The score of the row that ends with `sample`, were it to come next. Only where all trees are planted.
  double score_next(std::span<const double> sample);
  /// Takes the sample that was last scored. One that ends no row is not counted.
  void take_scored(bool ends_row);
  /// The same of a sample that was not scored.
  void take(std::span<const double> sample, bool ends_row);

  /// The score that row i had if all rows but itself were counted.
  double score_without_itself(std::size_t i);

  /// The node of each tree at which the row that was last scored ends, and its bits there.
  [[nodiscard]] std::span<const std::uint32_t> last_ends() const { return ends_; }
  [[nodiscard]] std::span<const double> last_bits() const { return last_bits_; }
  /// What lay beyond the root cubes of all trees when that row was scored, on the axis on which it was farthest from
  /// them; nothing if it lay inside of one on every axis.
  [[nodiscard]] const std::optional<geometry::Part>& last_beyond() const { return last_beyond_; }

  /// How many of the rows at hand reach each node.
  [[nodiscard]] Counts counts() const;
  /// Works out anew what `vote` compares with: the median bits of each tree.
  void find_medians();
  [[nodiscard]] const std::vector<double>& medians() const { return medians_; }
  void set_medians(std::vector<double> medians) { medians_ = std::move(medians); }

 private:
  /// What is known of a node at which rows end.
  struct End {
    double log2_volume = 0;
    std::uint32_t n_rows = 0;
  };

  [[nodiscard]] std::span<std::uint32_t> ends_of(std::uint64_t number);
  void find_next_ends();
  void find_outside();
  void find_beyond();
  /// How many rows reach a node: those that end there or below it. Only where a value is missing do rows end above
  /// leaves.
  [[nodiscard]] std::uint32_t n_reached(std::size_t tree, std::uint32_t number) const;
  [[nodiscard]] double bits_at(std::size_t tree, std::uint32_t node, double log2_n, std::uint32_t n_less) const;
  [[nodiscard]] double stretch_bits(std::size_t tree, const forest::Rows& rows) const;
  double aggregate_bits();
  void find_common_root();
  void count_all(std::size_t place);
  void widen_roots();
  void widen_root(std::size_t tree, std::size_t column);

  Options options_;
  SlidingRows rows_;
  std::vector<RootedTree> trees_;
  std::vector<WalkTree> walks_;
  std::vector<const WalkTree*> walk_pointers_;
  /// By tree and node.
  std::vector<std::vector<End>> end_nodes_;
  /// The node at which each sample at hand ends: by its number modulo the horizon, then by tree.
  std::vector<std::uint32_t> ring_;
  /// log2 of a number of rows; none counts as half a row.
  std::vector<double> log2_count_;
  /// What lies between these is in the root cubes of all trees.
  std::vector<double> common_low_;
  std::vector<double> common_high_;
  std::vector<double> medians_;

  // Of the row that was last scored.
  std::vector<std::uint32_t> ends_;
  std::vector<double> last_bits_;
  std::vector<std::size_t> outside_;
  std::optional<geometry::Part> last_beyond_;
  std::vector<double> scratch_;
};

}  // namespace pidforest::series
