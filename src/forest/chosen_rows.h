// SPDX-License-Identifier: Apache-2.0
// The rows of a table that a fit draws; only these are kept of a table that is not in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "pidforest/options.h"

namespace pidforest::forest {

/// Some or all rows of a table.
struct ChosenRows {
  /// The number of rows of the whole table.
  std::size_t n_rows = 0;
  Rows rows = {};
  /// The numbers of the rows in the table, in increasing order. If empty, `rows` is the whole table.
  std::vector<std::size_t> numbers = {};

  /// Returns the positions among the chosen rows of rows of the table, given by increasing numbers.
  [[nodiscard]] std::vector<std::size_t> places_of(std::vector<std::size_t> wanted) const;
};

/// Some rows, copied by column.
class CopiedRows {
 public:
  CopiedRows(const Rows& rows, std::span<const std::size_t> chosen);

  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  std::unique_ptr<double[]> values_;  // NOLINT(modernize-avoid-c-arrays): a vector would be filled twice
  Rows rows_;
};

/// Some rows by column, and the values of each column in increasing order, without missing ones. Views both.
struct SortedRows {
  Rows rows = {};
  std::vector<std::span<const double>> sorted = {};

  /// With the columns in another order.
  [[nodiscard]] SortedRows in_order(std::span<const std::size_t> columns) const;
};

/// Some rows, copied by column and sorted in each column.
class SortedSample {
 public:
  SortedSample(const Rows& rows, std::span<const std::size_t> chosen, const Run& run);

  [[nodiscard]] const SortedRows& view() const { return view_; }

 private:
  CopiedRows copied_;
  std::vector<std::vector<double>> sorted_;
  SortedRows view_;
};

/// Returns the rows on which a tree is grown, in increasing order.
std::vector<std::size_t> tree_sample(std::size_t n_rows, const Options& options, std::size_t tree);

/// Returns the rows of the first eight trees' samples, without repetitions and in increasing order: a sample of the
/// table for facts about its axes.
std::vector<std::size_t> first_samples(std::size_t n_rows, const Options& options);

/// Returns the sample on which all trees are counted, in increasing order; for options that count neither all rows nor
/// each tree's own sample.
std::vector<std::size_t> count_sample(std::size_t n_rows, const Options& options);

/// True if `count_rows` asks for all rows of a table of this size.
bool counts_all_rows(std::size_t n_rows, const Options& options);

/// Returns the rows from whose scores the threshold is computed, in increasing order: all rows, or a random sample of
/// 2^16.
std::vector<std::size_t> threshold_sample(std::size_t n_rows, const Options& options);

/// Returns the numbers of all rows needed for growing and for counting (unless all rows are counted), without
/// repetitions and in increasing order. Time and memory do not grow with the size of the table. Throws Cancelled.
std::vector<std::size_t> rows_to_draw(std::size_t n_rows, const Options& options, const Run& run = {});

}  // namespace pidforest::forest
