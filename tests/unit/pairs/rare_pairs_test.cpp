// SPDX-License-Identifier: Apache-2.0
#include "pairs/rare_pairs.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "each_target.h"
#include "pairs/find_pairs.h"

namespace pidforest::pairs {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Columns in memory of their own.
struct Columns {
  std::vector<std::vector<double>> values;

  [[nodiscard]] forest::Rows rows() const {
    forest::Rows rows{values[0].size(), {}};
    for (const std::vector<double>& column : values) rows.columns.push_back({column.data()});
    return rows;
  }
};

bool holds(const RarePair& pair, const Columns& columns, std::size_t row) {
  const auto is_in = [&](const Group& group) {
    const double x = columns.values[group.axis][row];
    return group.low <= x && (x < group.high || std::isinf(group.high));
  };
  return is_in(pair.first) && is_in(pair.second);
}

/// Numbers with infinities and missing values, a category, and a number of rows that fills no last block.
Columns wild_columns() {
  std::mt19937_64 random(7);
  Columns columns{{{}, {}, {}}};
  for (int row = 0; row < 1203; ++row) {
    columns.values[0].push_back(row % 11 == 0 ? missing : static_cast<double>(random() % 1000) / 100);
    columns.values[1].push_back(static_cast<double>(random() % 5));
    columns.values[2].push_back(row % 13 == 0 ? infinity : -static_cast<double>(random() % 7));
  }
  return columns;
}

std::vector<RarePair> wild_pairs() {
  return {{.first = {0, -infinity, 2.5}, .second = {1, 3, 4}, .bits = 6},
          {.first = {0, 2.5, 5}, .second = {2, -1, infinity}, .bits = 5},
          {.first = {1, 0, 1}, .second = {2, -infinity, -5}, .bits = 4},
          {.first = {0, -infinity, 2.5}, .second = {2, -infinity, -1}, .bits = 3}};
}

TEST(RarePairs, a_row_is_in_the_pair_with_the_most_bits_that_holds_it) {
  const Columns columns = wild_columns();
  const RarePairs pairs(wild_pairs(), 1203);
  std::map<std::size_t, std::size_t> expected;
  for (std::size_t row = 0; row < columns.rows().n; ++row)
    for (std::size_t place = pairs.all().size(); place-- > 0;)
      if (holds(pairs.all()[place], columns, row)) expected[row] = place;
  ASSERT_GT(expected.size(), 300U);
  for_each_target([&] {
    std::vector<int> found(columns.rows().n, -1);
    pairs.for_each_row(columns.rows(), {.threads = 2},
                       [&](std::size_t row, std::size_t place) { found[row] = static_cast<int>(place); });
    for (std::size_t row = 0; row < found.size(); ++row)
      ASSERT_EQ(found[row], expected.contains(row) ? static_cast<int>(expected[row]) : -1) << row;
  });
}

TEST(RarePairs, rows_are_counted_in_each_group_and_in_both) {
  const Columns columns = wild_columns();
  const RarePairs pairs(wild_pairs(), 1203);
  for_each_target([&] {
    std::vector<RarePairs::Count> counts(pairs.all().size());
    pairs.count(columns.rows(), counts, {.threads = 2});
    for (std::size_t place = 0; place < counts.size(); ++place) {
      const RarePair& pair = pairs.all()[place];
      RarePairs::Count plain;
      for (std::size_t row = 0; row < columns.rows().n; ++row) {
        plain.first += holds({.first = pair.first, .second = pair.first}, columns, row) ? 1 : 0;
        plain.second += holds({.first = pair.second, .second = pair.second}, columns, row) ? 1 : 0;
        plain.both += holds(pair, columns, row) ? 1 : 0;
      }
      EXPECT_EQ(counts[place].first, plain.first);
      EXPECT_EQ(counts[place].second, plain.second);
      EXPECT_EQ(counts[place].both, plain.both);
    }
  });
}

TEST(RarePairs, scores_and_the_bits_of_axes_rise_to_those_of_the_pair) {
  const Columns columns{{{1, 1, 9}, {2, 2, 2}, {0, 0, 0}}};
  const RarePairs pairs({{.first = {0, 0, 5}, .second = {2, 0, 1}, .bits = 4}}, 3);
  std::vector<double> scores{1, 8, 1};
  raise_scores(pairs, columns.rows(), 0.5, scores, {});
  EXPECT_EQ(scores, (std::vector<double>{4.5, 8, 1}));
  std::vector<double> bits{0.5, 0.25, 0.25, 2, 4, 2, 0.5, 0.25, 0.25};
  raise_axis_bits(pairs, columns.rows(), bits, {});
  EXPECT_EQ(bits, (std::vector<double>{2, 0.25, 1.75, 2, 4, 2, 0.5, 0.25, 0.25}));
}

/// Two categories of four levels that agree, except in `n_odd` rows: these have the levels 0 and 2.
Columns agreeing_levels(std::size_t n_rows, std::size_t n_odd) {
  Columns columns{{{}, {}}};
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto level = static_cast<double>(row % 4);
    columns.values[0].push_back(row < n_odd ? 0 : level);
    columns.values[1].push_back(row < n_odd ? 2 : level);
  }
  return columns;
}

RarePairs found_pairs(const Columns& columns, std::span<const GroupedAxis> axes,
                      std::span<const forest::Relation> relations) {
  const RarePairs candidates = candidate_pairs(columns.rows(), axes, relations, columns.rows().n);
  std::vector<RarePairs::Count> counts(candidates.all().size());
  candidates.count(columns.rows(), counts, {});
  return rare_pairs(candidates, counts, relations.size());
}

constexpr std::array categories{GroupedAxis{geometry::AxisKind::category, false},
                                GroupedAxis{geometry::AxisKind::category, false}};
constexpr std::array one_relation{forest::Relation{.first = 0, .second = 1, .information = 1}};

TEST(FindPairs, levels_that_hardly_occur_together_are_rare_and_have_their_bits) {
  const RarePairs pairs = found_pairs(agreeing_levels(4000, 4), categories, one_relation);
  ASSERT_EQ(pairs.all().size(), 12U);  // all combinations but the four that agree
  EXPECT_EQ(pairs.n_rows(), 4000U);
  const auto odd = std::ranges::find_if(pairs.all(), [](const RarePair& one) { return one.n_rows == 4; });
  ASSERT_NE(odd, pairs.all().end());
  EXPECT_EQ(odd->first, (Group{0, 0, 1}));
  EXPECT_EQ(odd->second, (Group{1, 2, 3}));
  EXPECT_DOUBLE_EQ(odd->n_unrelated, 1003.0 * 1003 / 4000);
  EXPECT_NEAR(odd->bits, std::log2(odd->n_unrelated / 4), 1e-9);
  EXPECT_TRUE(std::ranges::is_sorted(pairs.all(), std::ranges::greater{}, &RarePair::bits));
}

TEST(FindPairs, each_further_relation_raises_the_price) {
  const std::vector<forest::Relation> four(4, one_relation[0]);
  const RarePairs cheap = found_pairs(agreeing_levels(4000, 4), categories, one_relation);
  const RarePairs dear = found_pairs(agreeing_levels(4000, 4), categories, four);
  EXPECT_NEAR(cheap.all()[0].bits - dear.all()[0].bits, 2, 1e-9);
}

TEST(FindPairs, a_combination_that_is_common_is_no_pair) {
  const RarePairs pairs = found_pairs(agreeing_levels(4000, 400), categories, one_relation);
  EXPECT_TRUE(std::ranges::none_of(pairs.all(), [](const RarePair& one) { return one.n_rows == 400; }));
}

TEST(FindPairs, few_rows_give_no_pairs) {
  EXPECT_TRUE(found_pairs(agreeing_levels(100, 1), categories, one_relation).empty());
  EXPECT_TRUE(found_pairs(agreeing_levels(4000, 4), categories, {}).empty());
}

TEST(FindPairs, numbers_are_cut_into_eighths_and_cells_between_them) {
  Columns columns{{{}, {}}};
  for (int row = 0; row < 8000; ++row) {
    columns.values[0].push_back(row % 80);
    columns.values[1].push_back(std::floor(row % 80 / 10.0) + 0.5);
  }
  const std::array axes{GroupedAxis{}, GroupedAxis{geometry::AxisKind::ordered, true}};
  const RarePairs pairs = found_pairs(columns, axes, one_relation);
  EXPECT_EQ(pairs.all().size(), 56U);
  for (const RarePair& pair : pairs.all()) {
    EXPECT_TRUE(std::isinf(pair.first.low) || std::fmod(pair.first.low, 10) == 0) << pair.first.low;
    EXPECT_TRUE(std::isinf(pair.second.low) || pair.second.low == std::floor(pair.second.low)) << pair.second.low;
    EXPECT_EQ(pair.n_rows, 0U);
  }
}

TEST(FindPairs, a_frequent_least_value_is_a_group_of_its_own) {
  Columns columns{{{}, {}}};
  for (int row = 0; row < 4000; ++row) {
    columns.values[0].push_back(row % 2 == 0 ? 0 : 1 + row % 100);
    columns.values[1].push_back(row % 2);
  }
  const std::array axes{GroupedAxis{}, categories[0]};
  const RarePairs pairs = found_pairs(columns, axes, one_relation);
  ASSERT_FALSE(pairs.empty());
  EXPECT_TRUE(std::ranges::any_of(pairs.all(), [](const RarePair& one) {
    return std::isinf(one.first.low) && one.first.high <= 2 && one.second.low == 1;
  }));
}

}  // namespace
}  // namespace pidforest::pairs
