// SPDX-License-Identifier: Apache-2.0
// The steps of a fit after the first pass over the rows: grow the trees, find what is to be counted, count it in one
// pass, finish the model. Model::fit and fits in parts are made of these steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "forest/chosen_rows.h"
#include "model/axis_survey.h"
#include "model/state.h"
#include "pairs/rare_pairs.h"
#include "reasons/mark_sets.h"
#include "reasons/neighbours.h"
#include "reasons/reasons.h"

namespace pidforest::model {

/// A forest whose rows are not counted.
struct Growth {
  /// Options, encoder, axis order, forest and code book, and later the reasons, with counts of 0.
  State state;
  std::size_t n_rows = 0;
  /// The pairs of groups that may be rare.
  pairs::RarePairs candidates = {};
};

/// Grows the trees on the rows of a complete survey.
Growth grow(const AxisSurvey& survey, const Run& run);

/// The search for the reasons of a forest in the sample of a survey. The growth must outlive it.
class ReasonSearch {
 public:
  ReasonSearch(const Growth& growth, const AxisSurvey& survey, const Run& run);

  [[nodiscard]] reasons::StrongMarks strong_marks() const { return search_.strong_marks(); }
  /// The cubes, not counted and without neighbours. `sets` are those of all rows. Call it once.
  [[nodiscard]] std::shared_ptr<const reasons::Reasons> collect(const reasons::MarkSets& sets);

 private:
  std::size_t n_rows_;
  forest::CopiedRows sample_;
  reasons::CubeSearch search_;
};

/// Everything that a fit counts in the rows of a table, in one pass. The counts of two tables merge.
class RowCounts {
 public:
  /// Counts what the model needs; the growth must outlive it.
  explicit RowCounts(const Growth& growth);

  /// Whether there is anything to count but the rows themselves.
  [[nodiscard]] bool needs_rows() const { return n_steps() > 0; }
  void add(const forest::Rows& rows, const Run& run);

  /// The model without its threshold. `chosen` has the rows of the survey in the order of the axes.
  [[nodiscard]] State finish(const forest::ChosenRows& chosen, const Run& run) const;

  /// The counts as numbers. The first `n_sums()` add up; of each of the others the larger one counts.
  [[nodiscard]] std::vector<std::int64_t> numbers() const;
  [[nodiscard]] std::size_t n_sums() const;
  [[nodiscard]] std::size_t n_numbers() const;
  /// Sets the counts to merged numbers. Throws InvalidInput for numbers that no table has.
  void set(const std::vector<std::int64_t>& numbers);

 private:
  /// Calls visit(count) for each number that adds up, in order.
  template <class Own, class Visit>
  static void for_each_sum(Own& own, const Visit& visit);
  /// Whether trees or cubes are counted.
  [[nodiscard]] bool counts_blocks() const { return are_trees_counted_ || growth_.state.reasons; }
  void add_blocks(const forest::Rows& rows, const Run& run);
  /// The number of passes over each batch.
  [[nodiscard]] std::size_t n_steps() const;
  void check() const;

  const Growth& growth_;
  bool are_trees_counted_;
  std::uint64_t n_rows_ = 0;
  Counts trees_ = {};
  std::vector<pairs::RarePairs::Count> pairs_ = {};
  reasons::CubeCounter::Found found_ = {};
  /// Null until rows are counted, and if there are no reasons.
  std::shared_ptr<const reasons::CubeCounter> cube_counter_ = nullptr;
};

/// Appends the scores of some rows, which are copied a few at a time.
void append_scores(const State& state, const forest::Rows& rows, std::span<const std::size_t> places, const Run& run,
                   std::vector<double>& scores);

}  // namespace pidforest::model
