// SPDX-License-Identifier: Apache-2.0
// Products of marks: values that are rare on several axes of one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "reasons/mark_sets.h"
#include "reasons/row_sets.h"

namespace pidforest::reasons {

/// The rows of a sample that a mark holds.
struct MarkedRows {
  std::vector<BlockSet> inside;
  std::uint64_t count = 0;
  double log2_share = 0;
};

/// The products of marks that occur together in a row and, by a sample of `n_sample` rows, say more than their parts,
/// or hardly less: counting all rows decides. If there are too many, those that say most. Each product is a list of
/// numbers of marks, in increasing order. A product is given up if its volume is below `least_log2_volume`. `rows_of`
/// returns the rows of the sample that a mark holds.
std::vector<std::vector<std::uint32_t>> find_products(const MarkSets& sets,
                                                      const std::function<MarkedRows(std::uint32_t)>& rows_of,
                                                      std::size_t n_sample, double least_log2_volume);

}  // namespace pidforest::reasons
