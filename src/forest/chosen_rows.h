// SPDX-License-Identifier: Apache-2.0
// The rows of a table that a fit draws: what is kept of a table that is not in memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forest/rows.h"
#include "pidforest/options.h"

namespace pidforest::forest {

/// Some rows of a table, or all of them.
struct ChosenRows {
  /// How many the whole table has.
  std::size_t n_rows = 0;
  Rows rows = {};
  /// The numbers of the rows in the table, in increasing order; empty: `rows` is the whole table.
  std::vector<std::size_t> numbers = {};

  /// Where rows of the table, given by increasing numbers, are among those chosen.
  [[nodiscard]] std::vector<std::size_t> places_of(std::vector<std::size_t> wanted) const;
};

/// Some rows, copied column by column.
class CopiedRows {
 public:
  CopiedRows(const Rows& rows, std::span<const std::size_t> chosen) {
    values_.reserve(rows.columns.size() * chosen.size());
    for (const StridedColumn& column : rows.columns)
      for (const std::size_t row : chosen) values_.push_back(column[row]);
    rows_.n = chosen.size();
    for (std::size_t axis = 0; axis < rows.columns.size(); ++axis)
      rows_.columns.push_back({values_.data() + axis * chosen.size(), 1});
  }

  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  std::vector<double> values_;
  Rows rows_;
};

/// The rows that a tree is grown on, in increasing order.
std::vector<std::size_t> tree_sample(std::size_t n_rows, const Options& options, std::size_t tree);

/// The rows that one count for all trees is taken of, in increasing order; for options that count neither all rows nor
/// each tree's own.
std::vector<std::size_t> count_sample(std::size_t n_rows, const Options& options);

/// Whether `count_rows` asks for all rows of such a table.
bool counts_all_rows(std::size_t n_rows, const Options& options);

/// The rows whose scores the threshold is read off, in increasing order: all of them, or a random sample of 2^16.
std::vector<std::size_t> threshold_sample(std::size_t n_rows, const Options& options);

/// The numbers of all rows that growing, counting if it is not of all rows, and the threshold if there is one will ask
/// for; each once and in increasing order. Throws Cancelled.
std::vector<std::size_t> rows_to_draw(std::size_t n_rows, const Options& options, const Run& run = {});

}  // namespace pidforest::forest
