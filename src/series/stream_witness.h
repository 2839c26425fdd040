// SPDX-License-Identifier: Apache-2.0
// Why a row of a stream is rare: the best of the cubes that the trees have around it, counted in the horizon.
#pragma once

#include <cstddef>

#include "pidforest/explain.h"
#include "schema/encode.h"
#include "series/sliding_forest.h"

namespace pidforest::series {

/// `row` is the one that was last scored, among the samples or the one behind them; `words` are what its axes mean.
Witness stream_witness(const SlidingForest& forest, std::size_t row, const schema::Encoder& words);

}  // namespace pidforest::series
