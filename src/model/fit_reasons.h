// SPDX-License-Identifier: Apache-2.0
// The reasons of a model: the cubes of its forest, counted in a table.
#pragma once

#include <memory>

#include "forest/rows.h"
#include "model/state.h"
#include "schema/encoded_table.h"

namespace pidforest::model {

/// Collects the cubes of a forest and counts them in rows that are in memory, with their axes in the forest's order.
std::shared_ptr<const reasons::Reasons> find_reasons(const State& state, const forest::Rows& rows, const Run& run);

/// The cubes of a model with counts of another table: its own cubes, or those that a sample of the table suggests if
/// the model has none.
std::shared_ptr<const reasons::Reasons> count_reasons(const State& state, const schema::EncodedBatches& encoded,
                                                      const Run& run);

}  // namespace pidforest::model
