// SPDX-License-Identifier: Apache-2.0
// Exact PIDScores: the sparsest of all cubes that hold a row. For small tables, and to measure forests against.
// docs/exact.md has the definition and the cost. Link pidforest::exact.
//
//   const std::vector<double> height = {1.62, 1.75, 1.80, 17.1, 1.69, 1.71};
//   const auto table = pidforest::Table::row_major(height, 1, {"height"});
//   const pidforest::ExactScores exact = pidforest::exact_scores(table, pidforest::infer_schema(table));
//   std::cout << (exact.rows[3].bits > exact.rows[0].bits);  // prints 1
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

namespace [[gnu::visibility("default")]] pidforest {

/// Where intervals of numbers may end.
enum class IntervalEnds : std::uint8_t {
  any,     ///< anywhere, up to but not including the next value; no cube of any forest is sparser
  halfway  ///< halfway between neighbouring values, as the best splits of a forest end
};

struct ExactOptions {
  IntervalEnds ends = IntervalEnds::any;
  /// Search only for this many rows with the most bits: a row is dropped once it cannot be among them. Without a value
  /// every row is searched to the end.
  std::optional<std::size_t> top = {};
  /// A limit of time. Without a value the search ends when every row is settled.
  std::optional<double> seconds = {};
  /// The work that a single row may take, in values looked at, before the table counts as too large; 10^9 are a few
  /// seconds. Not used with `seconds`.
  std::uint64_t max_steps = 4'000'000'000;
};

/// The result of the search for the sparsest cube that holds one row.
struct ExactScore {
  /// log2(volume * n / rows inside) of the sparsest cube found. The PIDScore of the row is 2^bits / n, its pidLength is
  /// log2(n) - bits.
  double bits = 0;
  /// No cube that holds the row has more bits. Equal to `bits` if the search has settled the row.
  double upper_bound = 0;
  bool is_optimal = false;
  /// The cube. It holds the row itself, its duplicates and the impostors.
  Witness cube = {};
};

struct ExactScores {
  /// The complete schema, for the words of the cubes.
  Schema schema;
  /// One per requested row.
  std::vector<ExactScore> rows;
};

/// Scores the rows with these numbers (from 0), or all rows if `rows` is empty. The result does not depend on the
/// number of threads unless `seconds` ends the search. Throws InvalidInput for a table that cannot be used or is too
/// large, InvalidOption, and Cancelled.
ExactScores exact_scores(const Batches& table, const Schema& schema, std::span<const std::size_t> rows = {},
                         const ExactOptions& options = {}, const Run& run = {});

}  // namespace pidforest
