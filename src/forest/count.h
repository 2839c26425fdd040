// SPDX-License-Identifier: Apache-2.0
// How many rows reach each node: what labels the cubes of a forest.
#pragma once

#include "forest/code_book.h"
#include "forest/forest.h"

namespace pidforest::forest {

/// Drops all rows down all trees.
Counts count_rows(const Forest& forest, const CodeBook& book, const Rows& rows, const Run& run);

/// The counts that a fit begins with where they are not of all rows: of each tree's own sample, or of one sample for
/// all trees.
Counts count_chosen(const Forest& forest, const CodeBook& book, const ChosenRows& chosen, const Options& options,
                    const Run& run);

}  // namespace pidforest::forest
