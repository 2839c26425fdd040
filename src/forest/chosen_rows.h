// SPDX-License-Identifier: Apache-2.0
// The rows of a table that a fit draws: what is kept of a table that is not in memory.
#pragma once

#include <cstddef>
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

/// The rows that a tree is grown on, in increasing order.
std::vector<std::size_t> tree_sample(std::size_t n_rows, const Options& options, std::size_t tree);

/// The rows that one count for all trees is taken of, in increasing order; for options that count neither all rows nor
/// each tree's own.
std::vector<std::size_t> count_sample(std::size_t n_rows, const Options& options);

/// Whether `count_rows` asks for all rows of such a table.
bool counts_all_rows(std::size_t n_rows, const Options& options);

/// The numbers of all rows that growing, and counting if it is not of all rows, will ask for; each once and in
/// increasing order.
std::vector<std::size_t> rows_to_draw(std::size_t n_rows, const Options& options);

}  // namespace pidforest::forest
