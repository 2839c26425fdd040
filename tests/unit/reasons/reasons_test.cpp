// SPDX-License-Identifier: Apache-2.0
// The cubes that explain rows: leaves without idle conditions, values that are rare on one axis, and their counts.
#include "reasons/reasons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "reasons/products.h"
#include "reasons/reason_book.h"
#include "reasons/simplify.h"

namespace pidforest::reasons {
namespace {

using geometry::AxisKind;
using geometry::Part;
using geometry::Parts;

/// Columns of uniform numbers from 0 to 1.
class EvenRows {
 public:
  EvenRows(std::size_t n, std::size_t n_columns) : columns_(n_columns, std::vector<double>(n)) {
    std::mt19937_64 random(1);
    for (auto& column : columns_)
      for (double& x : column) x = std::uniform_real_distribution<double>()(random);
  }

  [[nodiscard]] double& at(std::size_t row, std::size_t column) { return columns_[column][row]; }
  [[nodiscard]] forest::Rows rows() const {
    forest::Rows rows{.n = columns_[0].size(), .columns = {}};
    for (const auto& column : columns_) rows.columns.push_back({column.data()});
    return rows;
  }

 private:
  std::vector<std::vector<double>> columns_;
};

/// The root cuts axis 0 at 0.5, its upper child cuts axis 1 at 0.5, and so on: the last leaf is in the upper half of
/// every axis.
forest::Tree halving_tree(std::uint32_t n_axes) {
  forest::Tree tree;
  tree.nodes.emplace_back();
  tree.log2_volumes.push_back(0);
  std::uint32_t node = 0;
  for (std::uint32_t axis = 0; axis < n_axes; ++axis) {
    const auto child = static_cast<std::uint32_t>(tree.nodes.size());
    tree.nodes[node] = {.first_child = child,
                        .first_cut = static_cast<std::uint32_t>(tree.cuts.size()),
                        .n_cuts = 1,
                        .axis = axis,
                        .n_value_children = 2};
    tree.cuts.push_back(0.5);
    for (int i = 0; i < 2; ++i) {
      tree.nodes.emplace_back();
      tree.log2_volumes.push_back(-1.0 - axis);
    }
    node = child + 1;
  }
  return tree;
}

TEST(Simplify, DropsWhatDoesNotMakeALeafSparser) {
  EvenRows even(4000, 4);
  for (std::size_t row = 0; row < 4000; ++row)  // never high on both axis 1 and axis 3
    if (even.at(row, 1) >= 0.5) even.at(row, 3) /= 2;
  const std::vector<geometry::Interval> root(4, {.low = 0, .high = 1});
  const forest::Tree tree = halving_tree(4);
  const LeafWitness last = simplify_leaf(tree, root, static_cast<std::uint32_t>(tree.nodes.size() - 1), even.rows());
  ASSERT_EQ(last.parts.size(), 2U);
  EXPECT_EQ(last.parts[0], (Part{.axis = 1, .low = 0.5}));
  EXPECT_EQ(last.parts[1], (Part{.axis = 3, .low = 0.5}));
  // A quarter of the space without any of 4,000 rows, minus the price of two columns with a bound each.
  EXPECT_NEAR(last.worth, std::log2(0.25 * 4000 / 0.5) - 2 * (price_of_column + price_of_bound), 1e-9);
  const LeafWitness first = simplify_leaf(tree, root, 1, even.rows());
  EXPECT_TRUE(first.parts.empty());  // half of the rows in half of the space
  EXPECT_EQ(first.worth, 0);
}

/// The reasons of a forest, counted in some rows.
struct Counted {
  Counted(forest::Forest of, const forest::Rows& rows)
      : forest(std::move(of)),
        book(forest),
        reasons(collect_reasons(forest, book, rows, rows.n, [&](const auto& visit) { visit(rows); }, {})) {
    const CubeCounter counter(forest, book, reasons);
    CubeCounter::Found found = counter.none();
    counter.add(rows, found, {.threads = 3});
    reasons.counts = found.counts;
  }

  /// The parts of the cube that explains the last row.
  [[nodiscard]] Parts told(const forest::Rows& rows) const {
    std::vector<std::uint32_t> chosen(rows.n);
    ReasonBook(forest, book, reasons).choose(rows, chosen, {});
    return reasons.parts_of(chosen.back());
  }

  forest::Forest forest;
  forest::CodeBook book;
  Reasons reasons;
};

forest::Forest halving_forest(std::uint32_t n_axes) {
  return {.root = forest::Root(n_axes, {.low = 0, .high = 1}), .trees = {halving_tree(n_axes)}};
}

TEST(Marks, HoldWhatIsRareByItself) {
  EvenRows even(2000, 2);
  for (std::size_t row = 0; row < 2000; ++row) even.at(row, 0) = row == 0 ? 0.9 : even.at(row, 0) * 0.1;
  even.at(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const Counted counted(halving_forest(2), even.rows());
  const Lines& lines = counted.reasons.lines[0];
  const std::uint32_t mark = lines.mark_of(0.9);
  ASSERT_NE(mark, 0U);
  EXPECT_EQ(counted.reasons.parts_of(mark), (Parts{{.axis = 0, .low = 0.5}}));
  EXPECT_EQ(counted.reasons.counts[mark], 1U);
  EXPECT_EQ(lines.mark_of(0.05), 0U);
  EXPECT_EQ(counted.reasons.lines[1].mark_of(0.9), 0U);
  EXPECT_EQ(counted.reasons.lines[1].mark_of(std::numeric_limits<double>::quiet_NaN()), 0U);
}

TEST(Marks, HoldWhatLiesBeyondTheRootCube) {
  const EvenRows even(2000, 1);
  const Counted counted(halving_forest(1), even.rows());
  const Lines& lines = counted.reasons.lines[0];
  ASSERT_NE(lines.mark_of(7), 0U);
  EXPECT_EQ(counted.reasons.parts_of(lines.mark_of(7)), (Parts{{.axis = 0, .low = std::nextafter(1.0, 2.0)}}));
  EXPECT_EQ(counted.reasons.counts[lines.mark_of(7)], 0U);
  EXPECT_NE(lines.mark_of(-1), 0U);
  EXPECT_EQ(lines.mark_of(1), 0U);
}

TEST(Marks, HoldLevelsThatCameLater) {
  EvenRows even(900, 1);
  for (std::size_t row = 0; row < 900; ++row) even.at(row, 0) = static_cast<double>(row % 3);
  const forest::Root root{{.low = 0, .high = 3, .branches = {{0, 1}, {1, 2}, {2, 3}}}};
  const Counted counted({.root = root, .trees = {halving_tree(0)}}, even.rows());
  EvenRows later(1, 1);
  later.at(0, 0) = 3;
  const Parts told = counted.told(later.rows());
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].holds(3));
  EXPECT_FALSE(told[0].holds(2));
}

TEST(ReasonBook, TellsAProductThatSaysMoreThanItsParts) {
  EvenRows even(8000, 2);
  for (std::size_t row = 0; row < 8000; ++row)
    for (std::size_t axis = 0; axis < 2; ++axis) even.at(row, axis) *= 0.5;
  for (std::size_t row = 0; row < 400; ++row) even.at(row, row % 2) = 0.9;  // 200 rows are high on each axis
  even.at(7999, 0) = even.at(7999, 1) = 0.9;                                // and one is high on both
  // Each tree cuts one axis, so no leaf is the product.
  forest::Forest forest = halving_forest(2);
  forest.trees = {halving_tree(1), halving_tree(1)};
  forest.trees[1].nodes[0].axis = 1;
  EXPECT_EQ(Counted(forest, even.rows()).told(even.rows()), (Parts{{.axis = 0, .low = 0.5}, {.axis = 1, .low = 0.5}}));
}

TEST(CubeCounter, CountsWhatAFilterCounts) {
  EvenRows even(1300, 3);
  for (std::size_t row = 0; row < 1300; ++row) {
    even.at(row, 1) = std::floor(even.at(row, 1) * 7);
    even.at(row, 2) *= 12;
    if (row % 9 == 0) even.at(row, 0) = std::numeric_limits<double>::quiet_NaN();
  }
  forest::Forest forest = halving_forest(3);
  forest.root[1] = {.low = 0, .high = 7, .branches = {{0, 7}}};
  forest.root[2].high = 12;
  forest.trees = {halving_tree(1)};
  Reasons reasons;
  reasons.parts = {{.axis = 0, .low = 0.3, .high = 0.7},
                   {.axis = 0, .low = 0.5},
                   {.axis = 0},
                   {.axis = 0, .is_missing = true},
                   {.axis = 1, .kind = AxisKind::category, .levels = {{0, 2}, {5, 8}}},
                   {.axis = 2, .kind = AxisKind::cyclic, .low = 3, .high = 10},
                   {.axis = 2, .kind = AxisKind::cyclic, .low = 10, .high = 3}};
  for (std::uint32_t part = 0; part < reasons.parts.size(); ++part) reasons.cubes.push_back({0, part});
  for (std::uint32_t part = 0; part < 4; ++part) {
    reasons.cubes.push_back({part + 1, 4});
    reasons.cubes.push_back({static_cast<std::uint32_t>(reasons.cubes.size() - 1), 5 + part % 2});
  }
  const forest::Rows rows = even.rows();
  const forest::CodeBook book(forest);
  const CubeCounter counter(forest, book, reasons);
  CubeCounter::Found found = counter.none();
  counter.add(rows, found, {.threads = 3});
  for (std::uint32_t cube = 0; cube < reasons.cubes.size(); ++cube)
    EXPECT_EQ(found.counts[cube], count_inside(reasons.parts_of(cube), rows)) << cube;
}

TEST(CubeCounter, FindsTheNeighboursThatAPlainSearchFinds) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EvenRows even(20'000, 3);
  for (std::size_t row = 0; row < 20'000; ++row) even.at(row, 2) = std::floor(even.at(row, 2) * 5);
  even.at(3, 0) = 0.5;
  even.at(4, 0) = infinity;
  even.at(5, 0) = -infinity;
  even.at(6, 0) = -0.0;
  even.at(7, 1) = std::numeric_limits<double>::quiet_NaN();
  forest::Forest wide = halving_forest(2);  // has no cut on axis 2
  wide.root.push_back({.low = 0, .high = 4});
  Reasons reasons;  // with bounds that are the cut of their axis, below it, above it and beyond the root cube
  reasons.parts = {{.axis = 0, .high = 0.25},       {.axis = 0, .high = 0.5}, {.axis = 0, .low = 0.5, .high = 0.5001},
                   {.axis = 0, .low = 7},           {.axis = 1, .low = 0.6},  {.axis = 2, .high = 0},
                   {.axis = 2, .low = 1, .high = 3}};
  const forest::CodeBook book(wide);
  const CubeCounter counter(wide, book, reasons);
  Neighbours plain(reasons.parts, 3);
  plain.add(even.rows());
  for (const unsigned threads : {1U, 3U}) {
    CubeCounter::Found found = counter.none();
    counter.add(even.rows(), found, {.threads = threads});
    EXPECT_EQ(found.neighbours, plain);
  }
}

/// Rows of which nearly each has a set of its own.
std::vector<MarkSets::Numbers> many_mark_sets() {
  std::mt19937_64 random(1);
  std::vector<MarkSets::Numbers> of_rows(3 * MarkSets::most_sets / 2);
  for (MarkSets::Numbers& marks : of_rows)
    marks = {1 + static_cast<std::uint32_t>(random() % 300), 1000 + static_cast<std::uint32_t>(random() % 300)};
  return of_rows;
}

MarkSets sets_of(const std::vector<MarkSets::Numbers>& of_rows, std::size_t begin, std::size_t end) {
  MarkSets sets;
  for (std::size_t row = begin; row < end; ++row) {
    sets.add(of_rows[row], row);
    if (row % 97 == 0) sets.keep_bound();
  }
  sets.keep_bound();
  return sets;
}

TEST(MarkSets, AreBoundedByTheRowsWhateverThePieces) {
  const std::vector<MarkSets::Numbers> of_rows = many_mark_sets();
  const MarkSets whole = sets_of(of_rows, 0, of_rows.size());
  EXPECT_GE(whole.sets().size(), MarkSets::most_sets);
  EXPECT_LT(whole.end(), of_rows.size());
  EXPECT_EQ(whole.end() % forest::block_rows, 0);
  MarkSets merged;
  for (const std::size_t piece : {2U, 0U, 3U, 1U})
    merged.merge(sets_of(of_rows, piece * of_rows.size() / 4, (piece + 1) * of_rows.size() / 4));
  EXPECT_EQ(merged.sets(), whole.sets());
  EXPECT_EQ(merged.end(), whole.end());
  MarkSets backwards;
  for (std::size_t row = of_rows.size(); row-- > 0;) backwards.add(of_rows[row], row);
  backwards.keep_bound();
  EXPECT_EQ(backwards.sets(), whole.sets());
}

/// Two rows of a sample for each mark, so that some pairs of marks have a row in common.
MarkedRows rows_of_mark(std::uint32_t mark) {
  MarkedRows marked{.inside = std::vector<BlockSet>(1), .count = 2, .log2_share = -0.5 - mark / 1000.0};
  marked.inside[0][mark % 8] |= 1;
  marked.inside[0][(mark + 1) % 8] |= 1;
  return marked;
}

TEST(Products, AreTheBestOfAll) {
  constexpr std::size_t n_sample = 500;
  constexpr std::size_t n_kept = 2048;
  MarkSets sets;
  std::map<MarkSets::Numbers, double> net_bits;
  for (std::uint32_t a = 0; a < 100; ++a)
    for (std::uint32_t b = a + 1; b < 100; ++b) {
      sets.add({a, b}, a * 100 + b);
      const MarkedRows one = rows_of_mark(a);
      const MarkedRows other = rows_of_mark(b);
      std::vector<BlockSet> both(1);
      const std::uint64_t count = intersect(one.inside, other.inside, both);
      const double net = geometry::bits_of(one.log2_share + other.log2_share, count, n_sample) - 2 * price_of_condition;
      const auto alone = [&](const MarkedRows& mark) {
        return geometry::bits_of(mark.log2_share, mark.count, n_sample) - price_of_condition;
      };
      if (net > std::max({alone(one), alone(other), 0.0}) - 1) net_bits[{a, b}] = net;
    }
  ASSERT_GT(net_bits.size(), 2 * n_kept);  // more than are ever kept at once
  std::vector<std::pair<double, MarkSets::Numbers>> sorted;
  for (const auto& [numbers, net] : net_bits) sorted.emplace_back(-net, numbers);
  std::ranges::sort(sorted);
  const auto products = find_products(sets, rows_of_mark, n_sample, -100);
  ASSERT_EQ(products.size(), n_kept);
  for (std::size_t i = 0; i < n_kept; ++i) EXPECT_EQ(products[i], sorted[i].second) << i;
}

}  // namespace
}  // namespace pidforest::reasons
