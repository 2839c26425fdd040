// SPDX-License-Identifier: Apache-2.0
// The score of a row: the bits of the leaf that it reaches in each tree, aggregated over the trees.
#pragma once

#include <span>
#include <vector>

#include "forest/code_book.h"
#include "forest/forest.h"

namespace pidforest::forest {

/// Tables for scoring, computed once from the forest and the counts.
struct ScoreTables {
  /// bits[t][v] = log2(volume * n / rows) of node v of tree t; a node that no row reached counts as half a row.
  std::vector<std::vector<double>> bits;
  /// The median of each tree's bits over the counted rows; the reference value of `vote`.
  std::vector<double> median_bits;
  /// odds[t][v] = log2(n / rows in the leaves of tree t that are at least as sparse as node v); what `odds` aggregates.
  std::vector<std::vector<double>> odds;

  /// What the aggregate combines: one number per node.
  [[nodiscard]] const std::vector<double>& values(std::size_t tree, const Options& options) const {
    return options.aggregate == Aggregate::odds ? odds[tree] : bits[tree];
  }
};

/// Returns the bits of each node of one tree.
std::vector<double> node_bits(const Tree& tree, const std::vector<std::uint64_t>& counts);
/// A node of a tree and its bits.
struct RankedNode {
  double bits;
  std::uint32_t node;
};
/// Returns the nodes of a tree in the order of their bits.
std::vector<RankedNode> ranked_nodes(const std::vector<double>& bits);
/// Returns the smallest bits that half of the counted rows do not exceed.
double median_bits(const Tree& tree, const std::vector<std::uint64_t>& counts, std::span<const RankedNode> ranked);
/// Returns log2(n / rows in leaves at least as sparse) of each node.
std::vector<double> node_odds(const Tree& tree, const std::vector<std::uint64_t>& counts,
                              std::span<const RankedNode> ranked);

ScoreTables score_tables(const Forest& forest, const Counts& counts);

/// Writes one score per row. In a tree whose root cube does not hold a row, the leaf's cube is stretched to reach it.
void score_rows(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Options& options,
                const Rows& rows, std::span<double> scores, const Run& run);

}  // namespace pidforest::forest
