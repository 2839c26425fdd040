// SPDX-License-Identifier: Apache-2.0
// Simplifies leaves: keeps the conditions whose cube is sparse enough for their price.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
/// The price of a condition when all rows are counted: it must at least halve the rows of a cube. A sample is noisier,
/// and asks for more.
inline constexpr double price_of_condition = 1;

/// The conditions of a leaf that matter, and their worth: the bits of their cube in a sample of rows, minus their
/// price.
struct LeafWitness {
  geometry::Parts parts;
  double worth = 0;
};

/// A range by both of its bounds, in any order.
geometry::Part joined(const geometry::Part& one, const geometry::Part& other);

/// log2 of the numbers of rows up to that of a sample. No row counts as half a row.
class RowLogs {
 public:
  explicit RowLogs(std::size_t n_sample_rows);

  [[nodiscard]] double of(std::uint64_t n_rows) const { return logs_[n_rows]; }
  [[nodiscard]] double of_all() const { return logs_.back(); }

 private:
  std::vector<double> logs_;
};

/// One bound of a leaf: the low or the high end of a range, or a whole part if it is not a range. Views its members.
struct LeafBound {
  LeafBound(const geometry::Part& own, std::span<const BlockSet> rows, std::uint64_t n_rows, double log2_of_share,
            const RowLogs& logs);

  const geometry::Part* part;
  /// The sample rows that it holds, and their number.
  std::span<const BlockSet> inside;
  std::uint32_t n_inside;
  std::uint32_t axis;
  /// log2 of its share of the axis, and what it adds to the worth of other conditions if none is on its axis.
  double log2_share;
  double length_worth;
  /// Its worth as the only condition.
  double worth;
  /// The other bound of the same range, and log2 of the share of the range. Set by Simplifier.
  const LeafBound* other = nullptr;
  double log2_range = 0;
};

/// Chooses among bounds. Reuses its memory.
class Simplifier {
 public:
  /// The most conditions of a witness.
  static constexpr std::size_t most_conditions = 6;

  /// The arguments must outlive this.
  Simplifier(std::span<const geometry::Interval> root, const RowLogs& logs, std::size_t n_sample_rows);

  /// The choice among the bounds of a node that is worth most, if it is worth more than `least_worth`, the worth of the
  /// best choice among the bounds of its parent. Only the first `n_new` bounds are new. `n_inside` is the number of
  /// sample rows that reach the node: no choice with a new bound holds fewer.
  std::optional<LeafWitness> simplify(std::vector<LeafBound>& bounds, std::size_t n_new, std::uint64_t n_inside,
                                      double least_worth);
  /// Whether two conditions of a node with this many sample rows may be worth their price.
  [[nodiscard]] bool may_need_two(std::uint64_t n_inside) const;
  /// False if no choice with a bound is worth more than `least_worth`, because the bound takes too much of it even if
  /// the choice holds only `n_inside` rows.
  [[nodiscard]] bool may_improve(const LeafBound& bound, std::uint64_t n_inside, double least_worth) const;

 private:
  /// What the length and the price of chosen bounds add to their worth, and the rows that they hold.
  struct Chosen {
    double length_worth = 0;
    std::span<const BlockSet> rows = {};
  };

  static void keep_best(std::vector<LeafBound>& bounds, std::size_t n_new);
  [[nodiscard]] double added_worth(const LeafBound& bound) const;
  void find_other_bounds(std::vector<LeafBound>& bounds) const;
  [[nodiscard]] double worth_of(double length_worth, std::uint64_t n_inside) const;
  void find_most_added(std::span<const LeafBound> bounds);
  void try_first(std::span<const LeafBound> bounds, std::size_t n, const Chosen& before);
  [[nodiscard]] geometry::Parts chosen_parts();

  std::span<const geometry::Interval> root_;
  const RowLogs* logs_;
  std::vector<std::vector<BlockSet>> sets_;
  /// The number of rows that no choice is below.
  std::uint64_t n_least_ = 0;
  /// The most that one of the last bounds can add to the worth of others: [i] for the last i bounds.
  std::vector<double> most_added_;
  std::vector<const LeafBound*> chosen_;
  std::vector<const LeafBound*> best_;
  double worth_ = 0;
};

/// The witness of one leaf by a sample of rows.
LeafWitness simplify_leaf(const forest::Tree& tree, std::span<const geometry::Interval> root, std::uint32_t leaf,
                          const forest::Rows& sample);

}  // namespace pidforest::reasons
