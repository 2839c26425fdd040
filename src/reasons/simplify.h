// SPDX-License-Identifier: Apache-2.0
// Simplifies leaves: keeps the conditions whose cube is sparse enough for their price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "forest/tree.h"
#include "geometry/part.h"
#include "reasons/row_sets.h"

namespace pidforest::reasons {

/// The price of a condition in bits, by which it must make a cube sparser: per column and per bound. A range that is
/// bounded below and above has two bounds. Chosen by benchmarks/explain.
inline constexpr double price_of_column = 2;
inline constexpr double price_of_bound = 0.5;
/// The price of a condition when all rows are counted.
inline constexpr double price_of_condition = price_of_column + price_of_bound;

/// The conditions of a leaf that matter, and their worth: the bits of their cube in a sample of rows, minus their
/// price.
struct LeafWitness {
  geometry::Parts parts;
  double worth = 0;
};

/// One bound of a leaf: the low or the high end of a range, or a whole part if it is not a range. Views its members.
struct LeafBound {
  const geometry::Part* part = nullptr;
  /// The sample rows that it holds, and their number.
  std::span<const BlockSet> inside = {};
  std::uint64_t n_inside = 0;
  /// log2 of its share of the axis.
  double log2_share = 0;
};

/// Chooses among bounds. Reuses its memory.
class Simplifier {
 public:
  /// The most conditions of a witness.
  static constexpr std::size_t most_conditions = 6;

  /// `root` must outlive this.
  Simplifier(std::span<const geometry::Interval> root, std::size_t n_sample_rows);

  /// The choice among the bounds of a leaf that is worth most. No parts if none is worth its price. `n_all` is the
  /// number of sample rows in the leaf: no choice holds fewer.
  LeafWitness simplify(std::vector<LeafBound>& bounds, std::uint64_t n_all);

 private:
  [[nodiscard]] double worth_alone(const LeafBound& bound) const;
  void keep_best(std::vector<LeafBound>& bounds) const;
  [[nodiscard]] double added_worth(const LeafBound& bound) const;
  void try_from(std::span<const LeafBound> bounds, double length_worth, std::span<const BlockSet> rows);
  [[nodiscard]] geometry::Parts chosen_parts();

  std::span<const geometry::Interval> root_;
  /// log2 of the numbers of rows; no row counts as half a row.
  std::vector<double> log2_rows_;
  std::vector<std::vector<BlockSet>> sets_;
  /// The most bits that a choice among the bounds can have.
  double most_bits_ = 0;
  std::uint64_t n_all_ = 0;
  std::vector<const LeafBound*> chosen_;
  std::vector<const LeafBound*> best_;
  double worth_ = 0;
};

/// The witness of one leaf by a sample of rows.
LeafWitness simplify_leaf(const forest::Tree& tree, std::span<const geometry::Interval> root, std::uint32_t leaf,
                          const forest::Rows& sample);

}  // namespace pidforest::reasons
