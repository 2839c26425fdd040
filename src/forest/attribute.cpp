// SPDX-License-Identifier: Apache-2.0
#include "forest/attribute.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "forest/route.h"
#include "forest/stretch.h"
#include "parallel/parallel.h"

namespace pidforest::forest {

namespace {

/// Adds what one tree says of a row; `node_bits` are those of the tree.
void add_steps(const Tree& tree, const std::vector<double>& node_bits, const Rows& rows, std::size_t row,
               std::span<double> axis_bits) {
  for (std::uint32_t number = 0;;) {
    const std::uint32_t child = child_towards(tree, number, rows, row);
    if (child == number) return;
    axis_bits[tree.nodes[number].axis] += node_bits[child] - node_bits[number];
    number = child;
  }
}

void attribute_row(const Forest& forest, const ScoreTables& tables, const Rows& rows, std::size_t row,
                   std::span<double> axis_bits) {
  std::fill(axis_bits.begin(), axis_bits.end(), 0.0);
  std::vector<OutsidePlace> outside;
  find_outside(forest, rows, row, outside);
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    add_steps(forest.trees[t], tables.bits[t], rows, row, axis_bits);
    for (const OutsidePlace& place : outside)
      axis_bits[place.axis] += stretch_bits(forest, forest.trees[t], rows, place);
  }
  for (double& bits : axis_bits) bits /= static_cast<double>(forest.trees.size());
}

}  // namespace

void attribute_rows(const Forest& forest, const ScoreTables& tables, const Rows& rows, std::span<double> axis_bits,
                    const Run& run) {
  constexpr std::size_t task_rows = 64;
  const std::size_t n_axes = forest.root.size();
  parallel_for((rows.n + task_rows - 1) / task_rows, run, "explaining", [&](std::size_t task, unsigned /*worker*/) {
    const std::size_t end = std::min((task + 1) * task_rows, rows.n);
    for (std::size_t row = task * task_rows; row < end; ++row)
      attribute_row(forest, tables, rows, row, axis_bits.subspan(row * n_axes, n_axes));
  });
}

}  // namespace pidforest::forest
