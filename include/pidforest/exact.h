// SPDX-License-Identifier: Apache-2.0
// PIDScore by its definition: the sparsest of all cubes that hold a row. For small tables, and the yardstick of the
// forest. See docs/exact.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/options.h"
#include "pidforest/schema.h"
#include "pidforest/table.h"

namespace pidforest {

/// Where intervals of numbers may end.
enum class Ends : std::uint8_t {
  any,     ///< anywhere: up to the next value, which is left out. No cube of any forest is sparser then.
  halfway  ///< halfway between neighbouring values, as the best splits of a forest do
};

struct ExactOptions {
  Ends ends = Ends::any;
  /// Only the rows with the most bits are of interest, so many of them: others are left as soon as they are known not
  /// to be among those. 0: all rows.
  std::size_t top = 0;
  /// For how long to search. Without it the search goes on until every row is settled.
  std::optional<double> seconds = {};
  /// The work that a single row may take, in values looked at, before the table counts as too large; with `seconds`
  /// there is no such limit. 10^9 are a few seconds.
  std::uint64_t max_steps = 4'000'000'000;
};

/// What is known of the sparsest cube that holds a row.
struct ExactScore {
  /// log2(volume * n / rows inside) of the sparsest cube found. The PIDScore of the row is 2^bits / n, its pidLength
  /// log2(n) - bits.
  double bits = 0;
  /// No cube that holds the row has more; equal to `bits` if that is known to be the most.
  double upper_bound = 0;
  bool is_optimal = false;
  /// The cube; it holds the row itself, its duplicates and the impostors.
  Witness cube = {};
};

struct ExactScores {
  /// What the columns mean, complete: what the words of cubes are made with.
  Schema schema;
  /// One per row that was asked for.
  std::vector<ExactScore> rows;
};

/// The scores of `rows` (numbers from 0), or of all rows if there are none. The same for any number of threads, unless
/// it is time that ends the search. Throws InvalidInput for a table that cannot be used and for one that is too large,
/// InvalidOption, and Cancelled.
ExactScores exact_scores(const Table& table, const Schema& schema, std::span<const std::size_t> rows,
                         const ExactOptions& options = {}, const Run& run = {});
/// Of all rows of a table whose columns are what they seem to be.
ExactScores exact_scores(const Table& table, const ExactOptions& options = {}, const Run& run = {});
/// The same of a table that comes in batches.
ExactScores exact_scores(const Batches& batches, const Schema& schema, std::span<const std::size_t> rows,
                         const ExactOptions& options = {}, const Run& run = {});

}  // namespace pidforest
