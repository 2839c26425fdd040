// SPDX-License-Identifier: Apache-2.0
// Finds the rare pairs of a table: candidates from a sample of its rows, then the rare ones among them by their counts
// in all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest/relations.h"
#include "forest/rows.h"
#include "pairs/rare_pairs.h"

namespace pidforest::pairs {

/// An axis as its groups see it.
struct GroupedAxis {
  geometry::AxisKind kind = geometry::AxisKind::ordered;
  /// Whether values are the middles of cells of length 1.
  bool has_cells = false;
};

/// The pairs of groups on related axes that may turn out to be rare among `n_rows` rows, of which `sample` is a sample.
/// The strongest relations count, up to a limit.
RarePairs candidate_pairs(const forest::Rows& sample, std::span<const GroupedAxis> axes,
                          std::span<const forest::Relation> relations, std::uint64_t n_rows);

/// The candidates that have at least `least_bits`, by their counts in all rows. If there are too many, those with the
/// most bits.
RarePairs rare_pairs(const RarePairs& candidates, std::span<const RarePairs::Count> counts, std::size_t n_relations);

/// The fewest bits of a rare pair.
inline constexpr double least_bits = 3;

}  // namespace pidforest::pairs
