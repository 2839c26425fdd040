// SPDX-License-Identifier: Apache-2.0
// Counts the rows that reach each node, which labels the cubes of a forest.
#pragma once

#include "forest/code_book.h"
#include "forest/forest.h"

namespace pidforest::forest {

/// Routes all rows down all trees.
Counts count_rows(const Forest& forest, const CodeBook& book, const Rows& rows, const Run& run);

/// Returns the counts of a fit that does not count all rows: of each tree's own sample, or of one sample for all trees.
Counts count_chosen(const Forest& forest, const CodeBook& book, const ChosenRows& chosen, const Options& options,
                    const Run& run);

}  // namespace pidforest::forest
