// SPDX-License-Identifier: Apache-2.0
#include "forest/score.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "forest/aggregate.h"
#include "forest/parallel.h"
#include "forest/route.h"
#include "geometry/logarithm.h"

namespace pidforest::forest {

namespace {

using geometry::Interval;
using geometry::portable_log2;

std::vector<double> node_bits(const Tree& tree, const std::vector<std::uint64_t>& counts) {
  std::vector<double> bits(counts.size());
  const double log2_n = portable_log2(std::max(static_cast<double>(counts[0]), 0.5));
  for (std::size_t node = 0; node < counts.size(); ++node)
    bits[node] = tree.log2_volumes[node] + log2_n - portable_log2(std::max(static_cast<double>(counts[node]), 0.5));
  return bits;
}

/// The least bits that half of the counted rows do not exceed.
double median_over_rows(const Tree& tree, const std::vector<std::uint64_t>& counts, const std::vector<double>& bits) {
  std::vector<std::size_t> leaves;
  for (std::size_t node = 0; node < counts.size(); ++node)
    if (tree.nodes[node].is_leaf()) leaves.push_back(node);
  std::sort(leaves.begin(), leaves.end(), [&](std::size_t a, std::size_t b) { return bits[a] < bits[b]; });
  std::uint64_t rows = 0;
  for (const std::size_t leaf : leaves) {
    rows += counts[leaf];
    if (2 * rows >= counts[0]) return bits[leaf];
  }
  return 0;
}

/// log2 of the length from `from` to `to`, also where their difference overflows.
double log2_length(double from, double to) {
  const double length = to - from;
  return std::isfinite(length) ? portable_log2(length) : 1 + portable_log2(to / 2 - from / 2);
}

/// By how many bits the part of `whole` that has `share` of its length grows when it is stretched to x beyond its end.
/// An infinite x counts as the largest double.
double bits_to_reach(const Interval& whole, double share, double x) {
  constexpr double largest = std::numeric_limits<double>::max();
  const double reach = std::clamp(x, -largest, largest);
  const double from = reach > whole.high ? whole.high : reach;
  const double to = reach > whole.high ? reach : whole.low;
  const double distance = geometry::share_of(from, to, whole);
  if (std::isfinite(distance)) return portable_log2(share + distance) - portable_log2(share);
  return log2_length(from, to) - log2_length(whole.low, whole.high) - portable_log2(share);
}

/// The share of `whole` that the row's leaf holds on an axis on which the row lies beyond `whole`.
double share_of_leaf(const Tree& tree, const Rows& rows, std::size_t row, std::size_t axis, const Interval& whole) {
  Interval part = whole;
  const double x = rows.columns[axis][row];
  for (std::uint32_t number = 0;;) {
    const std::uint32_t child = child_towards(tree, number, rows, row);
    if (child == number) break;
    const Node& node = tree.nodes[number];
    if (node.axis == axis && node.n_cuts > 0) {
      if (x > whole.high) part.low = tree.cuts[node.first_cut + node.n_cuts - 1];
      if (x < whole.low) part.high = tree.cuts[node.first_cut];
    }
    number = child;
  }
  return geometry::floored_share(geometry::share_of(part.low, part.high, whole));
}

/// One thread's room to work in.
class BlockScorer {
 public:
  BlockScorer(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Options& options)
      : forest_(forest),
        book_(book),
        tables_(tables),
        block_(book, forest.root),
        aggregator_(options, tables.median_bits) {}

  /// Scores the rows of the block that begins at `begin`.
  void score(const Rows& rows, std::size_t begin, std::span<double> scores) {
    block_.load(rows, begin);
    aggregator_.begin_block();
    for (std::size_t tree = 0; tree < forest_.trees.size(); ++tree) {
      const CodedTree coded(forest_, book_, tree);
      route(coded, block_, reached_);
      const auto row_bits = aggregator_.begin_tree();
      add_values(coded, reached_, tables_.bits[tree], block_.has_missing(), row_bits);
      add_stretch(rows, begin, coded.tree, row_bits);
      aggregator_.end_tree();
    }
    aggregator_.end_block(scores.subspan(begin, block_.n_rows()));
  }

 private:
  void add_stretch(const Rows& rows, std::size_t begin, const Tree& tree, std::span<double, block_rows> row_bits) {
    for (std::size_t word = 0; word < block_words; ++word)
      for (RowSet left = block_.outside()[word]; left != 0; left &= left - 1) {
        const std::size_t row = word * word_rows + static_cast<std::size_t>(std::countr_zero(left));
        row_bits[row] += stretch_bits(forest_, tree, rows, begin + row);
      }
  }

  const Forest& forest_;
  const CodeBook& book_;
  const ScoreTables& tables_;
  RowBlock block_;
  Aggregator aggregator_;
  std::vector<BlockSet> reached_;
};

/// One row at a time: for a few rows a block is not worth filling.
void score_few(const Forest& forest, const ScoreTables& tables, const Options& options, const Rows& rows,
               std::span<double> scores) {
  Aggregator aggregator(options, tables.median_bits);
  aggregator.begin_block();
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    const auto row_bits = aggregator.begin_tree();
    for (std::size_t row = 0; row < rows.n; ++row) {
      row_bits[row] += tables.bits[tree][route_plain(forest.trees[tree], rows, row)];
      if (const double stretch = stretch_bits(forest, forest.trees[tree], rows, row); stretch > 0)
        row_bits[row] += stretch;
    }
    aggregator.end_tree();
  }
  aggregator.end_block(scores);
}

}  // namespace

ScoreTables score_tables(const Forest& forest, const Counts& counts) {
  ScoreTables tables;
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    tables.bits.push_back(node_bits(forest.trees[tree], counts.trees[tree]));
    tables.median_bits.push_back(median_over_rows(forest.trees[tree], counts.trees[tree], tables.bits.back()));
  }
  return tables;
}

double stretch_bits(const Forest& forest, const Tree& tree, const Rows& rows, std::size_t row) {
  double bits = 0;
  for (std::size_t axis = 0; axis < forest.root.size(); ++axis) {
    const Interval& whole = forest.root[axis];
    const double x = rows.columns[axis][row];
    if (!(x < whole.low || x > whole.high)) continue;
    if (whole.low == whole.high)
      bits -= portable_log2(geometry::smallest_share);  // no length to measure by: as sparse as can be
    else
      bits += bits_to_reach(whole, share_of_leaf(tree, rows, row, axis, whole), x);
  }
  return bits;
}

void score_rows(const Forest& forest, const CodeBook& book, const ScoreTables& tables, const Options& options,
                const Rows& rows, std::span<double> scores, const Run& run) {
  constexpr std::size_t few = 32;
  if (rows.n <= few) return score_few(forest, tables, options, rows, scores);
  const std::size_t n_blocks = (rows.n + block_rows - 1) / block_rows;
  std::vector<BlockScorer> scorers(threads_for(run, n_blocks), BlockScorer(forest, book, tables, options));
  parallel_for(n_blocks, run, "scoring",
               [&](std::size_t i, unsigned worker) { scorers[worker].score(rows, i * block_rows, scores); });
}

}  // namespace pidforest::forest
