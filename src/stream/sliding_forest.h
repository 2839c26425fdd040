// SPDX-License-Identifier: Apache-2.0
// A forest that counts the last rows of a stream: a new row is added to the counts, the oldest is subtracted, and trees
// are replaced one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "forest/forest.h"
#include "forest/tree.h"
#include "geometry/part.h"
#include "pidforest/model.h"
#include "pidforest/options.h"
#include "stream/constants.h"
#include "stream/sliding_rows.h"
#include "stream/walk.h"

namespace pidforest::stream {

class SlidingForest {
 public:
  SlidingForest(const Options& options, SlidingRows rows);

  [[nodiscard]] const SlidingRows& rows() const { return rows_; }
  [[nodiscard]] const std::vector<forest::Tree>& trees() const { return trees_; }
  /// The root cube of each tree. It is the tree's own, since trees differ in age, and grows with the rows that are
  /// learned beyond it.
  [[nodiscard]] const std::vector<forest::Root>& roots() const { return roots_; }

  /// The isolated parts of each axis of the rows; empty if there are none. Trees may know their values or not.
  [[nodiscard]] const std::vector<geometry::IsolatedParts>& isolated() const { return isolated_; }
  void set_isolated(std::vector<geometry::IsolatedParts> isolated);
  /// Whether a value of the sample that was last scored is isolated; earlier values of its window do not count.
  [[nodiscard]] bool is_next_isolated() const;

  /// Puts a tree at a place, either in place of another tree or after the last one, and counts the buffered rows.
  void plant(std::size_t place, forest::Tree tree, forest::Root root);

  /// The score of the row that ends with `sample`, as if it came next. All trees must be planted.
  double score_next(std::span<const double> sample);
  /// Takes the sample that was last scored. A sample that ends no row is not counted.
  void take_scored(bool ends_row);
  /// Takes a sample that was not scored.
  void take(std::span<const double> sample, bool ends_row);

  /// The score that row i would have if all rows but itself were counted.
  double score_without_itself(std::size_t i);

  /// The bits in each tree of the row that was last scored.
  [[nodiscard]] std::span<const double> last_bits() const { return last_bits_; }
  /// The values beyond the root cubes of all trees when that row was scored, on the axis on which the row was farthest
  /// from them; nullopt if every axis has a root cube that holds the row.
  [[nodiscard]] const std::optional<geometry::Part>& last_beyond() const { return last_beyond_; }

  /// How many of the buffered rows reach each node.
  [[nodiscard]] Counts counts() const;
  /// Computes the median bits of each tree again, which `vote` compares with.
  void find_medians();
  [[nodiscard]] const std::vector<double>& medians() const { return medians_; }
  void set_medians(std::vector<double> medians) { medians_ = std::move(medians); }

 private:
  /// The most bits of the isolated values of row i.
  [[nodiscard]] double isolated_bits(std::size_t i) const;
  /// The bits of the value that the row that was last scored has on an axis, if it is isolated; otherwise 0.
  [[nodiscard]] double next_isolated_bits(std::size_t axis) const;
  /// The volume of a node, and the number of rows that end there.
  struct End {
    double log2_volume = 0;
    std::uint32_t n_rows = 0;
  };

  [[nodiscard]] std::span<std::uint32_t> ends_of(std::uint64_t number);
  void find_next_ends();
  void find_outside();
  void find_beyond();
  /// How many rows reach a node: the rows that end there or below it. Rows end above leaves only where a value is
  /// missing.
  [[nodiscard]] std::uint32_t n_reached(std::size_t tree, std::uint32_t number) const;
  [[nodiscard]] double bits_at(std::size_t tree, std::uint32_t node, double log2_n, std::uint32_t n_less) const;
  [[nodiscard]] double stretch_bits(std::size_t tree, const forest::Rows& rows) const;
  double aggregate_bits();
  void find_common_root();
  void find_common_root_of(std::size_t axis);
  void count_all(std::size_t place);
  void set_bits_off_constants();
  void widen_roots();
  /// `place` is that of a value among the numbers of a sample.
  void widen_root(std::size_t tree, std::size_t place);

  Options options_;
  SlidingRows rows_;
  std::vector<forest::Tree> trees_;
  std::vector<forest::Root> roots_;
  std::vector<geometry::IsolatedParts> isolated_;
  Constants constants_;
  std::vector<WalkTree> walks_;
  std::vector<const WalkTree*> walk_pointers_;
  /// By tree and node.
  std::vector<std::vector<End>> end_nodes_;
  /// The node at which each buffered sample ends: by its number modulo the horizon, then by tree.
  std::vector<std::uint32_t> ring_;
  /// log2 of a number of rows; 0 rows count as half a row.
  std::vector<double> log2_count_;
  /// A value between these ends is in the root cubes of all trees and not isolated.
  std::vector<double> common_low_;
  std::vector<double> common_high_;
  std::vector<double> medians_;

  // About the row that was last scored.
  std::vector<std::uint32_t> ends_;
  std::vector<double> last_bits_;
  std::vector<std::size_t> outside_;
  std::optional<geometry::Part> last_beyond_;
  std::vector<double> scratch_;
};

}  // namespace pidforest::stream
