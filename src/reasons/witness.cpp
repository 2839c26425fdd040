// SPDX-License-Identifier: Apache-2.0
#include "reasons/witness.h"

#include <utility>

#include "reasons/reasons.h"
#include "reasons/simplify.h"

namespace pidforest::reasons {

ChosenCube choose_cube(std::span<const LeafOfRow> leaves, const std::optional<geometry::Part>& beyond,
                       const forest::Rows& sample, std::span<const geometry::Interval> root_of_beyond) {
  ChosenCube chosen{.parts = {}, .root = leaves.front().root};
  double best = 0;
  for (const LeafOfRow& one : leaves) {
    LeafWitness witness = simplify_leaf(*one.tree, one.root, one.leaf, sample);
    if (witness.worth <= best) continue;
    best = witness.worth;
    chosen = {std::move(witness.parts), one.root};
  }
  if (!beyond) return chosen;
  const geometry::Parts mark{*beyond};
  const double bits =
      geometry::bits_of(geometry::log2_volume(mark, root_of_beyond), count_inside(mark, sample), sample.n);
  if (bits - price_of_column - price_of_bound > best) chosen = {mark, root_of_beyond};
  return chosen;
}

}  // namespace pidforest::reasons
