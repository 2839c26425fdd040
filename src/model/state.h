// SPDX-License-Identifier: Apache-2.0
// What a model is made of: the columns, the forest, the counts, and what is worked out from them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/score.h"
#include "pidforest/model.h"
#include "schema/encode.h"
#include "schema/encoded_table.h"

namespace pidforest {

struct Model::State {
  Options options = {};
  /// The schema, and what it makes of a table.
  schema::Encoder encoder;
  /// Which of the encoder's axes each axis of the forest is.
  std::vector<std::size_t> axis_order = {};
  std::shared_ptr<const forest::Forest> forest = nullptr;
  /// Worked out from the forest, for speed.
  std::shared_ptr<const forest::CodeBook> book = nullptr;
  Counts counts = {};
  forest::ScoreTables tables = {};
  std::optional<double> threshold = {};
};

}  // namespace pidforest

namespace pidforest::model {

/// An encoded table as the forest sees it: its axes in the forest's order. Views the table.
forest::Rows in_order(const Table& encoded, const std::vector<std::size_t>& axis_order);

/// Scores the rows of all batches, which have as many rows as `bits` has room for.
void score_batches(const Model::State& state, const schema::EncodedBatches& encoded, std::span<double> bits,
                   const Run& run);
/// How many of the rows reach each node.
Counts count_batches(const Model::State& state, const schema::EncodedBatches& encoded, const Run& run);

}  // namespace pidforest::model
