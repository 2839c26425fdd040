// SPDX-License-Identifier: Apache-2.0
#include "reasons/forest_parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "forest/count.h"
#include "reasons/axis_marks.h"
#include "reasons/node_parts.h"
#include "reasons/part_sets.h"
#include "reasons/reasons.h"
#include "reasons/simplify.h"

namespace pidforest::reasons {

using geometry::Part;

ForestParts::ForestParts(const forest::Forest& forest) : of_trees_(std::min(forest.trees.size(), most_reason_trees)) {
  std::size_t n_nodes = 0;
  for (std::size_t tree = 0; tree < of_trees_.size(); ++tree) n_nodes += forest.trees[tree].nodes.size();
  bounds_.reserve(n_nodes);
  ranges_.reserve(n_nodes);
  std::vector<bool> is_circle(forest.root.size());
  for (std::size_t tree = 0; tree < of_trees_.size(); ++tree) survey(forest.trees[tree], of_trees_[tree], is_circle);
  for (std::uint32_t axis = 0; axis < forest.root.size(); ++axis)
    for (const Part& part : parts_beyond(axis, forest.root[axis], is_circle[axis])) (void)bounds_.number_of(part);
}

void ForestParts::survey(const forest::Tree& tree, std::vector<NodeBounds>& bounds, std::vector<bool>& is_circle) {
  bounds.resize(tree.nodes.size());
  for (std::size_t v = 0; v < tree.nodes.size(); ++v) {
    const forest::Node& node = tree.nodes[v];
    if (node.is_leaf()) continue;
    if (node.kind == geometry::AxisKind::cyclic) is_circle[node.axis] = true;
    const std::optional<Part> before = part_on(node.axis, bounds[v]);
    for (std::uint32_t i = 0; i < node.n_children(); ++i)
      bounds[node.first_child + i] = with_part(bounds[v], part_of_child(tree, node, i, before ? &*before : nullptr));
  }
}

/// The part of an axis that some bounds leave; nullopt if it is all of the axis.
std::optional<Part> ForestParts::part_on(std::uint32_t axis, const NodeBounds& of_node) const {
  std::optional<Part> part;
  for (const std::uint32_t bound : numbers(of_node))
    if (bounds()[bound].axis == axis) part = part ? joined(*part, bounds()[bound]) : bounds()[bound];
  return part;
}

/// The bounds of a child: those of its parent, except on the axis of the cut, where it has a part of its own.
NodeBounds ForestParts::with_part(const NodeBounds& of_parent, const Part& own) {
  const geometry::Bounds own_bounds = geometry::bounds_of(own);
  std::array<std::uint32_t, 2> both{};
  const auto own_numbers = std::span(both).first(own_bounds.size());
  std::ranges::transform(own_bounds, both.begin(), [&](const Part& bound) { return bounds_.number_of(bound); });
  if (own_numbers.size() == 2 && ranges_.number_of(own) == halves_.size()) halves_.emplace_back(both[0], both[1]);
  const auto has = [](std::span<const std::uint32_t> some, std::uint32_t bound) {
    return std::ranges::find(some, bound) != some.end();
  };
  const std::size_t first = listed_.size();
  for (const std::uint32_t bound : own_numbers)
    if (!has(numbers(of_parent), bound)) listed_.push_back(bound);
  const std::size_t n_new = listed_.size() - first;
  for (std::size_t place = of_parent.first; place < of_parent.first + of_parent.n; ++place) {
    const std::uint32_t bound = listed_[place];  // the list may move when it grows
    if (bounds()[bound].axis != own.axis || has(own_numbers, bound)) listed_.push_back(bound);
  }
  return {first, static_cast<std::uint32_t>(listed_.size() - first), static_cast<std::uint32_t>(n_new)};
}

/// The working memory of one thread, which writes its blocks of all sets.
struct SampleSets::Block {
  const PartSets* parts;
  BlockSet* sets;
  std::size_t n_blocks;
  forest::TreeCounter trees;
  std::vector<BlockSet> memory = {};

  void add(const forest::RowBlock& block, const forest::Rows& rows, std::size_t begin) {
    parts->find(block, rows, begin, memory, sets + begin / forest::block_rows, n_blocks);
    trees.add(block, rows, begin);
  }
};

SampleSets::SampleSets(const forest::Forest& forest, const forest::CodeBook& book, const ForestParts& parts,
                       const forest::Rows& sample, const Run& run)
    : parts_(parts),
      n_blocks_((sample.n + forest::block_rows - 1) / forest::block_rows),
      sets_(std::make_unique_for_overwrite<BlockSet[]>(parts.bounds().size() * n_blocks_)) {
  const PartSets part_sets(forest, book, parts.bounds());
  const Block none{
      .parts = &part_sets, .sets = sets_.get(), .n_blocks = n_blocks_, .trees = {forest, book, parts.n_trees()}};
  const std::vector<Block> blocks =
      forest::count_blocks(forest::RowBlock(book, forest), none, sample, run, "finding reasons");
  reached_ = blocks[0].trees.counts();
  for (std::size_t i = 1; i < blocks.size(); ++i) reached_ += blocks[i].trees.counts();
  for (std::size_t bound = 0; bound < parts.bounds().size(); ++bound) counts_.push_back(size_of(rows_of(bound)));
  count_ranges(sample);
}

std::vector<BlockSet> SampleSets::rows_of_part(std::size_t part) const {
  if (part < parts_.bounds().size()) return {rows_of(part).begin(), rows_of(part).end()};
  std::vector<BlockSet> both(n_blocks_);
  intersect(rows_of(parts_.halves(part).first), rows_of(parts_.halves(part).second), both);
  return both;
}

/// Every value is inside one of a range's bounds at least, so the counts of the two tell how many are inside both.
void SampleSets::count_ranges(const forest::Rows& sample) {
  std::vector<std::uint64_t> n_present;
  for (const forest::StridedColumn& column : sample.columns) {
    n_present.push_back(0);
    for (std::size_t row = 0; row < sample.n; ++row) n_present.back() += std::isnan(column[row]) ? 0 : 1;
  }
  for (std::size_t part = parts_.bounds().size(); part < parts_.n_parts(); ++part)
    counts_.push_back(counts_[parts_.halves(part).first] + counts_[parts_.halves(part).second] -
                      n_present[parts_.part(part).axis]);
}

}  // namespace pidforest::reasons
