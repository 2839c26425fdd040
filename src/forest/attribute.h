// SPDX-License-Identifier: Apache-2.0
// Which axes a row's bits come from.
#pragma once

#include <span>

#include "forest/code_book.h"
#include "forest/forest.h"
#include "forest/score.h"

namespace pidforest::forest {

/// Writes the bits of each row by axis, row after row: axis_bits[row * n_axes + axis]. Every step of a row's way down a
/// tree adds log2(p/q) to the axis that it cuts, where p is the child's share of the node's volume and q its share of
/// the node's rows; a stretch beyond the root cube belongs to the axis that it is along. The mean is taken over the
/// trees, whatever the aggregate: summed over the axes it is the mean score.
void attribute_rows(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Rows& rows,
                    std::span<double> axis_bits, const Run& run);

}  // namespace pidforest::forest
