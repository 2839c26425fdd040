// SPDX-License-Identifier: Apache-2.0
// Rare pairs: a group of values on each of two related axes that occur together far less often than they would if the
// axes were unrelated. A row in such a pair scores at least its bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "geometry/part.h"
#include "pidforest/options.h"

namespace pidforest::pairs {

/// Some values of an axis: low <= x < high; an infinite end is open. A level of a category is `low`, and `high` is the
/// next one.
struct Group {
  std::uint32_t axis = 0;
  double low = 0;
  double high = 0;

  [[nodiscard]] geometry::Stretch values() const { return {low, high}; }

  bool operator==(const Group&) const = default;
};

struct RarePair {
  /// The axis of the first is the lower one.
  Group first = {};
  Group second = {};
  /// The number of fitted rows in both groups.
  std::uint64_t n_rows = 0;
  /// The number of rows that would be in both if the axes were unrelated.
  double n_unrelated = 0;
  /// log2(n_unrelated / n_rows), less log2 of the number of pairs of axes that were searched. No rows count as one.
  double bits = 0;

  bool operator==(const RarePair&) const = default;
};

class RarePairs {
 public:
  /// No pairs.
  RarePairs() = default;
  RarePairs(std::vector<RarePair> pairs, std::uint64_t n_rows);

  [[nodiscard]] const std::vector<RarePair>& all() const { return pairs_; }
  /// The number of fitted rows.
  [[nodiscard]] std::uint64_t n_rows() const { return n_rows_; }
  [[nodiscard]] bool empty() const { return pairs_.empty(); }

  /// Calls visit(row, place) for each row that is in a pair: the place in `all()` of the one with the most bits.
  /// Several threads call it at once, for different rows.
  void for_each_row(const forest::Rows& rows, const Run& run,
                    const std::function<void(std::size_t row, std::size_t place)>& visit) const;

  /// How many of some rows are in the groups of each pair.
  struct Count {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint64_t both = 0;
  };
  /// Adds the rows to counts[place].
  void count(const forest::Rows& rows, std::span<Count> counts, const Run& run) const;

  bool operator==(const RarePairs& other) const { return pairs_ == other.pairs_ && n_rows_ == other.n_rows_; }

 private:
  /// The groups of a pair, as places in `groups_`.
  struct Places {
    std::uint32_t first;
    std::uint32_t second;
  };
  class Block;

  std::vector<RarePair> pairs_;
  std::uint64_t n_rows_ = 0;
  /// The different groups in the order of their axes.
  std::vector<Group> groups_;
  std::vector<Places> places_;
};

/// Raises the scores of rows in rare pairs to the pair's bits and `head_start`.
void raise_scores(const RarePairs& pairs, const forest::Rows& rows, double head_start, std::span<double> scores,
                  const Run& run);

/// Shares the bits that rare pairs add to the mean equally between their two axes; axis_bits[row * n_axes + axis].
void raise_axis_bits(const RarePairs& pairs, const forest::Rows& rows, std::span<double> axis_bits, const Run& run);

}  // namespace pidforest::pairs
