// SPDX-License-Identifier: Apache-2.0
// The candidates for explanations: leaves without idle conditions, and values that are rare on one axis.
#include "reasons/witness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "reasons/count_cubes.h"

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
  const auto witnesses = simplify_leaves(tree, root, even.rows());
  const LeafWitness& last = witnesses.back();
  ASSERT_EQ(last.parts.size(), 2U);
  EXPECT_EQ(last.parts[0], (Part{.axis = 1, .low = 0.5}));
  EXPECT_EQ(last.parts[1], (Part{.axis = 3, .low = 0.5}));
  // A quarter of the space without any of 4,000 rows, minus the price of two columns with a bound each.
  EXPECT_NEAR(last.worth, std::log2(0.25 * 4000 / 0.5) - 2 * (price_of_column + price_of_bound), 1e-9);
  EXPECT_TRUE(witnesses[1].parts.empty());  // half of the rows in half of the space
  EXPECT_EQ(witnesses[1].worth, 0);
}

TEST(AxisMarks, HoldWhatIsRareByItself) {
  EvenRows even(2000, 2);
  for (std::size_t row = 0; row < 2000; ++row) even.at(row, 0) = row == 0 ? 0.9 : even.at(row, 0) * 0.1;
  even.at(1, 1) = std::numeric_limits<double>::quiet_NaN();
  forest::Forest forest{.root = {{.low = 0, .high = 1}, {.low = 0, .high = 1}}, .trees = {halving_tree(2)}};
  const AxisMarks marks(forest, 1, even.rows(), {});
  const std::uint32_t mark = marks.mark_of(0, 0.9);
  ASSERT_NE(mark, AxisMarks::none);
  EXPECT_EQ(marks.marks()[mark].part, (Part{.axis = 0, .low = 0.5}));
  EXPECT_NEAR(marks.marks()[mark].bits, std::log2(0.5 * 2000), 1e-9);
  EXPECT_EQ(marks.mark_of(0, 0.05), AxisMarks::none);
  EXPECT_EQ(marks.mark_of(1, 0.9), AxisMarks::none);
  EXPECT_EQ(marks.mark_of(1, std::numeric_limits<double>::quiet_NaN()), AxisMarks::none);
}

TEST(AxisMarks, HoldWhatLiesBeyondTheRootCube) {
  const EvenRows even(2000, 1);
  const forest::Forest forest{.root = {{.low = 0, .high = 1}}, .trees = {halving_tree(1)}};
  const AxisMarks marks(forest, 1, even.rows(), {});
  const std::uint32_t beyond = marks.mark_of(0, 7);
  ASSERT_NE(beyond, AxisMarks::none);
  EXPECT_EQ(marks.marks()[beyond].part.low, std::nextafter(1.0, 2.0));
  EXPECT_NE(marks.mark_of(0, -1), AxisMarks::none);
  EXPECT_EQ(marks.mark_of(0, 1), AxisMarks::none);
}

TEST(CubeCounter, CountsWhatAFilterCounts) {
  EvenRows even(1300, 3);
  for (std::size_t row = 0; row < 1300; ++row) {
    even.at(row, 1) = std::floor(even.at(row, 1) * 7);
    even.at(row, 2) *= 12;
    if (row % 9 == 0) even.at(row, 0) = std::numeric_limits<double>::quiet_NaN();
  }
  const std::vector<Parts> cubes{
      {},
      {{.axis = 0, .low = 0.3}},
      {{.axis = 0, .low = 0.3, .high = 0.7}, {.axis = 1, .kind = AxisKind::category, .levels = {{0, 2}, {5, 8}}}},
      {{.axis = 0, .is_missing = true}, {.axis = 2, .kind = AxisKind::cyclic, .low = 10, .high = 3}},
      {{.axis = 0}},
      {{.axis = 2, .kind = AxisKind::cyclic, .low = 3, .high = 10}, {.axis = 0, .high = 0.7}}};
  const forest::Rows rows = even.rows();
  std::vector<std::uint64_t> counts(cubes.size());
  CubeCounter(cubes, 3).add(rows, counts, {.threads = 3});
  for (std::size_t cube = 0; cube < cubes.size(); ++cube) {
    std::uint64_t inside = 0;
    for (std::size_t row = 0; row < rows.n; ++row)
      inside += std::ranges::all_of(cubes[cube], [&](const Part& p) { return p.holds(rows.columns[p.axis][row]); });
    EXPECT_EQ(counts[cube], inside) << cube;
  }
}

}  // namespace
}  // namespace pidforest::reasons
