// SPDX-License-Identifier: Apache-2.0
// An upper bound of the sparsity that a cube can reach by leaving out rows, if leaving out rows costs volume.
#pragma once

#include <vector>

#include "exact/part_choice.h"

namespace pidforest::exact {

/// Rows that may be left out, and a lower bound of the cost in bits.
struct Exclusion {
  double loss = 0;
  double rows = 0;
};

/// The working memory of `most_bits`.
struct BoundRoom {
  std::vector<Step> segments;
};

/// An upper bound of -(bits of volume lost) - log2(rows left) for `n_rows` rows. The rows in `exclusions`, which are
/// sorted here, may be left out. Two lower bounds of the cost hold at once: the largest cost of a single exclusion, and
/// the least cost of that many rows if every side of every axis may be taken in fractions.
double most_bits(double n_rows, std::vector<Exclusion>& exclusions, const Sides& sides, BoundRoom& room);

}  // namespace pidforest::exact
