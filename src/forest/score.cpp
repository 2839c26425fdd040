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

/// The bits by which the cube of the row's leaf grows when it is stretched along `axis` to reach the row.
double stretch_bits(const Forest& forest, const Tree& tree, const Rows& rows, std::size_t row, std::size_t axis) {
  const Interval& whole = forest.root[axis];
  // A column that was constant has no length to measure by: as sparse as can be.
  if (whole.low == whole.high) return -portable_log2(geometry::smallest_share);
  return bits_to_reach(whole, share_of_leaf(tree, rows, row, axis, whole), rows.columns[axis][row]);
}

/// A row that lies beyond the root cube, and an axis on which it does.
struct OutsidePlace {
  std::size_t row;
  std::size_t axis;
};

void find_outside(const Forest& forest, const Rows& rows, std::size_t row, std::vector<OutsidePlace>& places) {
  for (std::size_t axis = 0; axis < forest.root.size(); ++axis) {
    const double x = rows.columns[axis][row];
    if (x < forest.root[axis].low || x > forest.root[axis].high) places.push_back({row, axis});
  }
}

/// Adds the bits of stretching; row_bits[0] belongs to row `begin`.
void add_stretch(const Forest& forest, const Tree& tree, const Rows& rows, const std::vector<OutsidePlace>& places,
                 std::size_t begin, std::span<double, block_rows> row_bits) {
  for (const auto& [row, axis] : places) row_bits[row - begin] += stretch_bits(forest, tree, rows, row, axis);
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
    find_outside_rows(rows, begin);
    aggregator_.begin_block();
    for (std::size_t tree = 0; tree < forest_.trees.size(); ++tree) {
      const CodedTree coded(forest_, book_, tree);
      route(coded, block_, reached_);
      const auto row_bits = aggregator_.begin_tree();
      add_values(coded, reached_, tables_.bits[tree], block_.has_missing(), row_bits);
      add_stretch(forest_, coded.tree, rows, outside_, begin, row_bits);
      aggregator_.end_tree();
    }
    aggregator_.end_block(scores.subspan(begin, block_.n_rows()));
  }

 private:
  void find_outside_rows(const Rows& rows, std::size_t begin) {
    outside_.clear();
    for (std::size_t word = 0; word < block_words; ++word)
      for (RowSet left = block_.outside()[word]; left != 0; left &= left - 1)
        find_outside(forest_, rows, begin + word * word_rows + static_cast<std::size_t>(std::countr_zero(left)),
                     outside_);
  }

  const Forest& forest_;
  const CodeBook& book_;
  const ScoreTables& tables_;
  RowBlock block_;
  Aggregator aggregator_;
  std::vector<BlockSet> reached_;
  std::vector<OutsidePlace> outside_;
};

/// One row at a time: for a few rows a block is not worth filling.
void score_few(const Forest& forest, const ScoreTables& tables, const Options& options, const Rows& rows,
               std::span<double> scores) {
  std::vector<OutsidePlace> outside;
  for (std::size_t row = 0; row < rows.n; ++row) find_outside(forest, rows, row, outside);
  Aggregator aggregator(options, tables.median_bits);
  aggregator.begin_block();
  for (std::size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    const auto row_bits = aggregator.begin_tree();
    for (std::size_t row = 0; row < rows.n; ++row) row_bits[row] += tables.bits[t][route_plain(tree, rows, row)];
    add_stretch(forest, tree, rows, outside, 0, row_bits);
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
