// SPDX-License-Identifier: Apache-2.0
#include "forest/score.h"

#include <algorithm>
#include <array>

#include "forest/aggregate.h"
#include "forest/route.h"
#include "forest/stretch.h"
#include "geometry/logarithm.h"
#include "system/parallel.h"

namespace pidforest::forest {

using geometry::portable_log2;

std::vector<double> node_bits(const Tree& tree, const std::vector<std::uint64_t>& counts) {
  std::vector<double> bits(counts.size());
  const double log2_n = portable_log2(std::max(static_cast<double>(counts[0]), 0.5));
  for (std::size_t node = 0; node < counts.size(); ++node)
    bits[node] = tree.log2_volumes[node] + log2_n - portable_log2(std::max(static_cast<double>(counts[node]), 0.5));
  return bits;
}

std::vector<RankedNode> ranked_nodes(const std::vector<double>& bits) {
  std::vector<RankedNode> ranked;
  ranked.reserve(bits.size());
  for (std::uint32_t node = 0; node < bits.size(); ++node) ranked.push_back({bits[node], node});
  std::ranges::sort(ranked, {}, &RankedNode::bits);
  return ranked;
}

double median_bits(const Tree& tree, const std::vector<std::uint64_t>& counts, std::span<const RankedNode> ranked) {
  std::uint64_t rows = 0;
  for (const auto& [bits, node] : ranked) {
    if (!tree.nodes[node].is_leaf()) continue;
    rows += counts[node];
    if (2 * rows >= counts[0]) return bits;
  }
  return 0;
}

std::vector<double> node_odds(const Tree& tree, const std::vector<std::uint64_t>& counts,
                              std::span<const RankedNode> ranked) {
  const auto log2_rows = [](std::uint64_t n) { return portable_log2(std::max(static_cast<double>(n), 0.5)); };
  const double log2_n = log2_rows(counts[0]);
  std::vector<double> odds(ranked.size());
  std::uint64_t rows = 0;
  for (std::size_t end = ranked.size(); end > 0;) {
    std::size_t first = end;  // of the nodes with the same bits
    for (; first > 0 && ranked[first - 1].bits == ranked[end - 1].bits; --first)
      if (const std::uint32_t node = ranked[first - 1].node; tree.nodes[node].is_leaf()) rows += counts[node];
    const double own = log2_n - log2_rows(rows);
    for (; end > first; --end) odds[ranked[end - 1].node] = own;
  }
  return odds;
}

namespace {

/// Adds the bits of stretching; row_bits[0] belongs to row `begin`.
void add_stretch(const Forest& forest, std::size_t tree, const Rows& rows, OutsideRows& outside, std::size_t begin,
                 std::span<double, block_rows> row_bits) {
  for (const OutsidePlace& place : outside.places(rows, tree))
    row_bits[place.row - begin] += stretch_bits(forest.root_of(tree), forest.trees[tree], rows, place);
}

/// Replaces the scores of rows with isolated values; scores[0] belongs to row `begin`.
void set_isolated(const Forest& forest, const Options& options, const Rows& rows, const OutsideRows& outside,
                  std::size_t begin, std::span<double> scores) {
  if (forest.isolated.empty()) return;
  const double start = head_start(options);
  for (const std::size_t row : outside.candidates())
    scores[row - begin] = score_with_isolated(isolated_bits(forest.isolated, rows, row), scores[row - begin], start);
}

/// Writes the scores of at most a block of rows: a row has the largest of the scores by the trees of each view. Calls
/// add_bits(tree, row_bits) to add the bits of a tree.
template <class AddBits>
void score_by_views(const Forest& forest, Aggregator& aggregator, std::span<double> scores, const AddBits& add_bits) {
  const std::size_t n_views = std::min(forest.n_views(), forest.trees.size());
  std::array<double, block_rows> of_view{};
  for (std::size_t view = 0; view < n_views; ++view) {
    aggregator.begin_block();
    for (std::size_t tree = view; tree < forest.trees.size(); tree += n_views) {
      add_bits(tree, aggregator.begin_tree());
      aggregator.end_tree(tree);
    }
    const auto found = view == 0 ? scores : std::span(of_view).first(scores.size());
    aggregator.end_block(found);
    if (view > 0) std::ranges::transform(scores, found, scores.begin(), std::ranges::max);
  }
}

/// Working memory of one thread.
class BlockScorer {
 public:
  BlockScorer(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Options& options)
      : forest_(forest),
        book_(book),
        tables_(tables),
        options_(options),
        block_(book, forest),
        aggregator_(options, tables.median_bits),
        outside_(forest) {}

  /// Scores the rows of the block that starts at `begin`.
  void score(const Rows& rows, std::size_t begin, std::span<double> scores) {
    block_.load(rows, begin);
    outside_.set(block_, begin);
    const auto of_block = scores.subspan(begin, block_.n_rows());
    score_by_views(forest_, aggregator_, of_block, [&](std::size_t tree, auto row_bits) {
      const CodedTree coded(forest_, book_, tree);
      route(coded, block_, reached_);
      add_values(coded, reached_, tables_.values(tree, options_), block_.has_missing(), row_bits);
      add_stretch(forest_, tree, rows, outside_, begin, row_bits);
    });
    set_isolated(forest_, options_, rows, outside_, begin, of_block);
  }

 private:
  const Forest& forest_;
  const CodeBook& book_;
  const ScoreTables& tables_;
  const Options& options_;
  RowBlock block_;
  Aggregator aggregator_;
  std::vector<BlockSet> reached_;
  OutsideRows outside_;
};

/// Scores one row at a time: a block does not pay off for a few rows.
void score_few(const Forest& forest, const ScoreTables& tables, const Options& options, const Rows& rows,
               std::span<double> scores) {
  OutsideRows outside(forest);
  outside.set_all(rows);
  Aggregator aggregator(options, tables.median_bits);
  score_by_views(forest, aggregator, scores, [&](std::size_t t, auto row_bits) {
    for (std::size_t row = 0; row < rows.n; ++row)
      row_bits[row] += tables.values(t, options)[route_plain(forest.trees[t], rows, row)];
    add_stretch(forest, t, rows, outside, 0, row_bits);
  });
  set_isolated(forest, options, rows, outside, 0, scores);
}

}  // namespace

ScoreTables score_tables(const Forest& forest, const Counts& counts) {
  ScoreTables tables;
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    tables.bits.push_back(node_bits(forest.trees[tree], counts.trees[tree]));
    const std::vector<RankedNode> ranked = ranked_nodes(tables.bits.back());
    tables.median_bits.push_back(median_bits(forest.trees[tree], counts.trees[tree], ranked));
    tables.odds.push_back(node_odds(forest.trees[tree], counts.trees[tree], ranked));
  }
  return tables;
}

void score_rows(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Options& options,
                const Rows& rows, std::span<double> scores, const Run& run) {
  constexpr std::size_t few = 32;
  if (rows.n <= few) return score_few(forest, tables, options, rows, scores);
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<BlockScorer> scorers(system::threads_for(run, n_blocks), BlockScorer(forest, book, tables, options));
  system::parallel_for(n_blocks, run, "scoring",
                       [&](std::size_t i, unsigned worker) { scorers[worker].score(rows, i * block_rows, scores); });
}

}  // namespace pidforest::forest
