// SPDX-License-Identifier: Apache-2.0
// Which strong marks occur together in a row: collected from all rows of a table, in pieces and in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "forest/forest.h"
#include "forest/rows.h"
#include "reasons/axis_marks.h"
#include "reasons/row_marks.h"

namespace pidforest::reasons {

/// The marks that may be multiplied: those with more bits than chance gives the rarest axis.
struct StrongMarks {
  /// For each axis, the strong marks of its values; 0 for values without one.
  std::vector<Lines> lines = {};
  /// The bits of each mark by its number.
  std::map<std::uint32_t, double> bits = {};

  /// Whether a row can have two of them.
  [[nodiscard]] bool can_meet() const;

  bool operator==(const StrongMarks&) const = default;
};

/// The different sets of at least two strong marks that rows have, with the first row of each. Time and memory are
/// bounded: rows after the block of 512 rows in which the 16,384th set first occurs do not count.
class MarkSets {
 public:
  using Numbers = std::vector<std::uint32_t>;

  static constexpr std::size_t most_sets = 16'384;

  /// Adds the marks of a row, in increasing order.
  void add(const Numbers& marks, std::uint64_t row);
  /// Adds the sets of other rows.
  void merge(const MarkSets& other);
  /// Drops sets beyond the bound. Call it now and then while rows are added.
  void keep_bound();

  /// Rows from this number on do not count.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Each set with its first row.
  [[nodiscard]] const std::map<Numbers, std::uint64_t>& sets() const { return first_rows_; }

 private:
  std::map<Numbers, std::uint64_t> first_rows_;
  std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();
};

/// Finds the strong marks of rows.
class MarkFinder {
 public:
  MarkFinder(const StrongMarks& marks, const forest::Root& root);

  /// Adds the sets of rows whose first one has the number `first_row` in the table.
  void add(const forest::Rows& rows, std::uint64_t first_row, MarkSets& sets) const;

 private:
  void find(const forest::Rows& rows, std::size_t begin, std::span<RowMarks> marks) const;

  /// The marks in the order of their numbers, from 1 on: the lines have their places.
  std::vector<std::uint32_t> numbers_ = {0};
  std::vector<double> bits_ = {0};
  std::vector<Lines> lines_;
  std::vector<Ordinary> ordinary_;
};

}  // namespace pidforest::reasons
