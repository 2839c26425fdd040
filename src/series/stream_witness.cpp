// SPDX-License-Identifier: Apache-2.0
#include "series/stream_witness.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "explain/simplify.h"
#include "explain/wording.h"
#include "forest/chosen_rows.h"
#include "forest/route.h"

namespace pidforest::series {

using explain::LeafWitness;
using forest::Rows;
using geometry::Interval;
using geometry::Part;
using geometry::Parts;

namespace {

/// So many of the trees in which a row has most bits are asked.
constexpr std::size_t most_asked_trees = 3;

std::vector<std::size_t> trees_to_ask(std::span<const double> bits) {
  std::vector<std::size_t> trees(bits.size());
  std::iota(trees.begin(), trees.end(), 0);
  std::ranges::stable_sort(trees, std::ranges::greater{}, [&](std::size_t t) { return bits[t]; });
  trees.resize(std::min(trees.size(), most_asked_trees));
  return trees;
}

std::uint64_t count_inside(const Parts& parts, const Rows& rows) {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    const auto holds = [&](const Part& part) { return part.holds(rows.columns[part.axis][i]); };
    n += std::ranges::all_of(parts, holds) ? 1 : 0;
  }
  return n;
}

LeafWitness witness_beyond(const Part& part, const std::vector<Interval>& root, const Rows& sample) {
  LeafWitness witness{.parts = {part}};
  witness.worth =
      geometry::bits_of(geometry::log2_volume(witness.parts, root), count_inside(witness.parts, sample), sample.n) -
      explain::price_of_column - explain::price_of_bound;
  return witness;
}

/// Adds the levels seen since the tree was grown to each part that contains the unseen levels.
void include_new_levels(Parts& parts, const std::vector<Interval>& root, const std::vector<schema::AxisInfo>& infos) {
  for (Part& part : parts)
    if (part.kind == geometry::AxisKind::category && !part.levels.empty() &&
        part.levels.back().end > static_cast<std::uint32_t>(root[part.axis].high))
      part.levels.back().end = static_cast<std::uint32_t>(infos[part.axis].n_cells) + 1;
}

}  // namespace

Witness stream_witness(const SlidingForest& forest, std::size_t row, const schema::Encoder& words) {
  const SlidingRows& sliding = forest.rows();
  const Rows rows = sliding.rows();
  const std::vector<std::size_t> numbers = sliding.row_numbers();
  std::optional<forest::CopiedRows> without_gaps;
  if (numbers.size() < sliding.n_samples()) without_gaps.emplace(rows, numbers);
  Rows sample = without_gaps ? without_gaps->rows() : rows;
  sample.n = numbers.size();

  LeafWitness best;
  const RootedTree* best_tree = &forest.trees().front();
  const auto offer = [&](LeafWitness found, const RootedTree& tree) {
    if (found.worth <= best.worth) return;
    best = std::move(found);
    best_tree = &tree;
  };
  for (const std::size_t t : trees_to_ask(forest.last_bits())) {
    const RootedTree& tree = forest.trees()[t];
    offer(explain::simplify_leaf(tree.tree, tree.root, forest::route_plain(tree.tree, rows, row), sample), tree);
  }
  if (forest.last_beyond()) offer(witness_beyond(*forest.last_beyond(), best_tree->root, sample), *best_tree);
  include_new_levels(best.parts, best_tree->root, words.axes());
  std::vector<std::size_t> axis_order(sample.columns.size());
  std::iota(axis_order.begin(), axis_order.end(), 0);
  return explain::witness_of(best.parts, count_inside(best.parts, sample), sample.n,
                             {words, axis_order, best_tree->root});
}

}  // namespace pidforest::series
