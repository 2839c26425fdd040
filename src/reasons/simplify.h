// SPDX-License-Identifier: Apache-2.0
// Simplifies leaves: keeps the conditions whose cube is sparse enough for their price.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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
  geometry::Parts parts = {};
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
  /// The other bound of the same range. Set by Simplifier.
  LeafBound* other = nullptr;
  /// log2 of the share of the range; NaN until it is needed.
  double log2_range = std::numeric_limits<double>::quiet_NaN();
};

/// Chooses among bounds. Reuses its memory.
class Simplifier {
 public:
  /// The most conditions of a witness.
  static constexpr std::size_t most_conditions = 6;

  /// The arguments must outlive this.
  Simplifier(std::span<const geometry::Interval> root, const RowLogs& logs, std::size_t n_sample_rows);

  /// The bounds of a node, as places in a list. Only the first `n_new` are new: its parent does not have them.
  /// `n_inside` is the number of sample rows that reach the node: no choice with a new bound holds fewer.
  struct NodeBounds {
    std::span<const LeafBound> all;
    std::span<const std::uint32_t> places;
    std::size_t n_new;
    std::uint64_t n_inside;
  };
  /// Some of the bounds in a list, by their places, and what they are worth together.
  struct Choice {
    double worth = 0;
    std::size_t n = 0;
    std::array<std::uint32_t, most_conditions> places = {};
  };
  /// The choice among the bounds of a node that is worth most, if it is worth more than `least_worth`, the worth of the
  /// best choice among the bounds of its parent.
  std::optional<Choice> simplify(const NodeBounds& node, double least_worth);
  /// Whether two conditions of a node with this many sample rows may be worth their price.
  [[nodiscard]] bool may_need_two(std::uint64_t n_inside) const;

 private:
  /// What the length and the price of chosen bounds add to their worth, and the rows that they hold.
  struct Chosen {
    double length_worth = 0;
    std::span<const BlockSet> rows = {};
  };

  /// False if no choice with a new bound can be worth more than `worth_`.
  [[nodiscard]] bool may_improve(const NodeBounds& node) const;
  void keep_best(const NodeBounds& node);
  [[nodiscard]] double added_worth(LeafBound& bound) const;
  void find_other_bounds();
  [[nodiscard]] double worth_of(double length_worth, std::uint64_t n_inside) const;
  [[nodiscard]] double most_worth_of(double length_worth) const;
  void find_most_added();
  void try_first(std::span<LeafBound> bounds, std::size_t n, const Chosen& before);
  [[nodiscard]] Choice best_choice() const;

  std::span<const geometry::Interval> root_;
  const RowLogs* logs_;
  std::vector<std::vector<BlockSet>> sets_;
  /// A bound and its worth, which are compared many times.
  struct Rated {
    double worth;
    std::uint32_t place;
  };
  std::vector<Rated> rated_;
  /// The bounds among which to choose.
  std::vector<LeafBound> bounds_;
  /// The number of rows that no choice is below.
  std::uint64_t n_least_ = 0;
  /// The most that one of the last bounds can add to the worth of others: [i] for the last i bounds.
  std::vector<double> most_added_;
  std::vector<const LeafBound*> chosen_;
  std::vector<const LeafBound*> best_;
  double worth_ = 0;
};

/// The chosen ones of some bounds as parts, in the order of the axes.
geometry::Parts parts_of(const Simplifier::Choice& choice, std::span<const LeafBound> all);

/// The witness of one leaf by a sample of rows.
LeafWitness simplify_leaf(const forest::Tree& tree, std::span<const geometry::Interval> root, std::uint32_t leaf,
                          const forest::Rows& sample);

}  // namespace pidforest::reasons
