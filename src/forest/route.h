// SPDX-License-Identifier: Apache-2.0
// Finds the nodes that each row reaches. Whole sets of rows go down a tree together, without branches that depend on
// the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/row_block.h"
#include "forest/tree.h"

namespace pidforest::forest {

/// A tree and its part of the code book.
struct CodedTree {
  CodedTree(const Forest& forest, const CodeBook& code_book, std::size_t number)
      : tree(forest.trees[number]), book(code_book), nodes(code_book.nodes(number)) {}

  const Tree& tree;
  const CodeBook& book;
  const CodeBook::CodedNodes& nodes;
};

/// Finds the rows of a block that reach each node: reached[v] for node v. If a row's value is missing on an axis where
/// no value was missing in the fit, the row ends at the node that cuts the axis.
void route(const CodedTree& coded, const RowBlock& block, std::vector<BlockSet>& reached);

/// Adds the number of rows in reached[v] to counts[v].
void add_sizes(std::span<const BlockSet> reached, std::span<std::uint64_t> counts);

/// Finds the node at which each row of the block ends. `may_stay` is as for add_values.
void find_ends(const CodedTree& coded, std::span<const BlockSet> reached, bool may_stay,
               std::span<std::uint32_t, block_rows> ends);

/// Adds values[v] to the sum of each row of the block, where v is the node at which the row ends. `may_stay` says
/// whether rows may end at nodes that are not leaves.
void add_values(const CodedTree& coded, std::span<const BlockSet> reached, std::span<const double> values,
                bool may_stay, std::span<double, block_rows> row_sums);

/// Returns the child of the node that a row goes to, or the node itself if the row ends there.
std::uint32_t child_towards(const Tree& tree, std::uint32_t number, const Rows& rows, std::size_t row);

/// Returns the node at which one row ends, step by step: the specification of `route`.
std::uint32_t route_plain(const Tree& tree, const Rows& rows, std::size_t row);

}  // namespace pidforest::forest
