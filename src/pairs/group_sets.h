// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "forest/row_block.h"
#include "pairs/rare_pairs.h"

namespace pidforest::pairs {

/// Sets sets[i] to the rows of a block whose values are in groups[i]. The values fill `n_words` words of rows; a NaN is
/// in no group.
void find_groups(const double* values, std::size_t n_words, std::span<const Group> groups, forest::BlockSet* sets);

}  // namespace pidforest::pairs
