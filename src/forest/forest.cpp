// SPDX-License-Identifier: Apache-2.0
#include "forest/forest.h"

#include <algorithm>
#include <bit>
#include <span>

#include "forest/grow.h"
#include "forest/parallel.h"
#include "forest/random.h"
#include "forest/route.h"
#include "forest/sample.h"

namespace pidforest::forest {

namespace {

std::vector<std::size_t> tree_sample(std::size_t n_rows, const Options& options, std::size_t tree) {
  return sample_without_replacement(n_rows, static_cast<std::size_t>(options.max_samples),
                                    static_cast<std::uint64_t>(options.seed),
                                    {.purpose = Purpose::sample_rows, .tree = static_cast<std::uint32_t>(tree)});
}

/// The chosen rows, copied column by column.
class ChosenRows {
 public:
  ChosenRows(const Rows& rows, std::span<const std::size_t> chosen) {
    values_.reserve(rows.columns.size() * chosen.size());
    for (const StridedColumn& column : rows.columns)
      for (const std::size_t row : chosen) values_.push_back(column[row]);
    rows_.n = chosen.size();
    for (std::size_t axis = 0; axis < rows.columns.size(); ++axis)
      rows_.columns.push_back({values_.data() + axis * chosen.size(), 1});
  }

  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  std::vector<double> values_;
  Rows rows_;
};

Counts empty_counts(const Forest& forest) {
  Counts counts;
  for (const Tree& tree : forest.trees) counts.trees.emplace_back(tree.nodes.size(), 0);
  return counts;
}

void count_block(const Tree& tree, const RowBlock& block, std::vector<std::uint64_t>& ended) {
  Arrivals arrivals;
  for (std::size_t word = 0; word < block.n_words(); ++word) {
    route(tree, block, word, arrivals);
    for (const Arrival& arrival : arrivals) ended[arrival.node] += static_cast<std::uint64_t>(std::popcount(arrival.rows));
  }
}

/// From the rows that ended at each node to the rows that reached it. Children come after their parents.
void add_up(const Tree& tree, std::vector<std::uint64_t>& counts) {
  for (std::size_t node = tree.nodes.size(); node-- > 0;)
    for (std::uint32_t i = 0; !tree.nodes[node].is_leaf() && i < tree.nodes[node].n_children(); ++i)
      counts[node] += counts[tree.nodes[node].first_child + i];
}

Counts count_own_samples(const Forest& forest, const Rows& rows, const Options& options, const Run& run) {
  Counts counts = empty_counts(forest);
  parallel_for(forest.trees.size(), run, "counting", [&](std::size_t tree, unsigned) {
    const ChosenRows own(rows, tree_sample(rows.n, options, tree));
    RowBlock block(forest.root);
    for (std::size_t begin = 0; begin < own.rows().n; begin += block_rows) {
      block.load(own.rows(), begin);
      count_block(forest.trees[tree], block, counts.trees[tree]);
    }
    add_up(forest.trees[tree], counts.trees[tree]);
  });
  return counts;
}

}  // namespace

Forest grow_forest(const Rows& rows, std::vector<geometry::Interval> root, const Options& options, const Run& run) {
  Forest forest{.root = std::move(root), .trees = std::vector<Tree>(static_cast<std::size_t>(options.n_estimators))};
  parallel_for(forest.trees.size(), run, "growing trees", [&](std::size_t tree, unsigned) {
    const Sample sample(rows, tree_sample(rows.n, options, tree));
    forest.trees[tree] =
        grow(sample, forest.root, {.options = &options, .tree = static_cast<std::uint32_t>(tree), .run = &run});
  });
  return forest;
}

Counts count_rows(const Forest& forest, const Rows& rows, const Run& run) {
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  const unsigned n_workers = threads_for(run, n_blocks);
  std::vector<Counts> by_worker(n_workers, empty_counts(forest));
  std::vector<RowBlock> blocks(n_workers, RowBlock(forest.root));
  parallel_for(n_blocks, run, "counting", [&](std::size_t i, unsigned worker) {
    blocks[worker].load(rows, i * block_rows);
    for (std::size_t tree = 0; tree < forest.trees.size(); ++tree)
      count_block(forest.trees[tree], blocks[worker], by_worker[worker].trees[tree]);
  });
  Counts counts = std::move(by_worker[0]);
  for (unsigned worker = 1; worker < n_workers; ++worker) counts += by_worker[worker];
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) add_up(forest.trees[tree], counts.trees[tree]);
  return counts;
}

Counts count_for_fit(const Forest& forest, const Rows& rows, const Options& options, const Run& run) {
  if (options.count_rows == Options::own_sample) return count_own_samples(forest, rows, options, run);
  const auto n_counted = static_cast<std::size_t>(options.count_rows);
  if (options.count_rows == Options::all_rows || n_counted >= rows.n) return count_rows(forest, rows, run);
  const auto chosen = sample_without_replacement(rows.n, n_counted, static_cast<std::uint64_t>(options.seed),
                                                 {.purpose = Purpose::count_rows});
  return count_rows(forest, ChosenRows(rows, chosen).rows(), run);
}

}  // namespace pidforest::forest
