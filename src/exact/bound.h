// SPDX-License-Identifier: Apache-2.0
// How sparse a cube can become at most by leaving out rows, when every way to do so costs volume.
#pragma once

#include <vector>

#include "exact/part_choice.h"

namespace pidforest::exact {

/// Rows that may be left out, for no fewer bits than this.
struct Exclusion {
  double loss = 0;
  double rows = 0;
};

/// What `most_bits` needs room for.
struct BoundRoom {
  std::vector<Step> segments;
};

/// The most that -(bits of volume lost) - log2(rows left) can be, of `n_rows` rows of which those in `exclusions`,
/// which it sorts, may be left out. Two bounds on the bits that leaving out some of them costs hold at once: the most
/// that one of them costs, and the least that so many cost when every side of every axis may be taken in fractions.
double most_bits(double n_rows, std::vector<Exclusion>& exclusions, const Sides& sides, BoundRoom& room);

}  // namespace pidforest::exact
