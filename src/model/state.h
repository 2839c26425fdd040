// SPDX-License-Identifier: Apache-2.0
// What a model is made of: the columns, the forest, the counts, and the tables computed from them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "forest/attribute.h"
#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/score.h"
#include "model/profile.h"
#include "pairs/rare_pairs.h"
#include "pidforest/model.h"
#include "reasons/reasons.h"
#include "schema/encode.h"
#include "schema/encoded_table.h"

namespace pidforest {

struct Model::State {
  Options options = {};
  /// Holds the schema and encodes tables by it.
  schema::Encoder encoder;
  /// The encoder axis of each axis of the forest.
  std::vector<std::size_t> axis_order = {};
  std::shared_ptr<const forest::Forest> forest = nullptr;
  /// Computed from the forest, for speed.
  std::shared_ptr<const forest::CodeBook> book = nullptr;
  Counts counts = {};
  forest::ScoreTables tables = {};
  /// Counted in the fitted rows.
  pairs::RarePairs pairs = {};
  std::optional<double> threshold = {};
  /// The cubes that explain rows, counted in the fitted rows. Null if the option `reasons` is off.
  std::shared_ptr<const reasons::Reasons> reasons = nullptr;
  /// The values of a sample of the fitted rows. Null without reasons, for models of streams and of older files.
  std::shared_ptr<const model::Profile> profile = nullptr;
};

}  // namespace pidforest

namespace pidforest::model {

/// Reaches the private parts of a model.
struct Access {
  using State = Model::State;

  static const State& state(const Model& model) { return *model.state_; }
  static Model made_of(State state) { return Model(std::make_shared<const State>(std::move(state))); }
};

using State = Access::State;
inline const State& state_of(const Model& model) { return Access::state(model); }

/// Returns an encoded table with its axes in the forest's order. It views the table.
forest::Rows in_order(const Table& encoded, const std::vector<std::size_t>& axis_order);

/// Scores rows by the trees, the isolated values and the rare pairs of a model.
void score_rows(const State& state, const forest::Rows& rows, std::span<double> bits, const Run& run);
/// Scores the rows of all batches; `bits` must have one element per row.
void score_batches(const State& state, const schema::EncodedBatches& encoded, std::span<double> bits, const Run& run);
/// Counts the rows that reach each node.
Counts count_batches(const State& state, const schema::EncodedBatches& encoded, const Run& run);

/// Writes the bits of each row by axis: axis_bits[row * n_axes + axis]. The attribution is of the state's forest.
void attribute_rows(const State& state, const forest::Attribution& attribution, const forest::Rows& rows,
                    std::span<double> axis_bits, const Run& run);
/// Adds the bits that each column of the schema gives each row to bits[row * n_columns + column]. The attribution is of
/// the state's forest.
void add_column_bits(const State& state, const forest::Attribution& attribution, const forest::Rows& rows,
                     std::span<double> bits, const Run& run);

}  // namespace pidforest::model
