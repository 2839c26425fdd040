// SPDX-License-Identifier: Apache-2.0
#include "geometry/partition.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "each_target.h"

namespace pidforest::geometry {
namespace {

struct Cell {
  double length;
  std::size_t count;
};

Cells cells_of(const std::vector<Cell>& list) {
  std::vector<double> ends;
  std::vector<bool> ends_cell;
  double end = 0;
  for (const Cell& cell : list) {
    end += cell.length;
    ends.insert(ends.end(), cell.count, end);
    ends_cell.insert(ends_cell.end(), cell.count - 1, false);
    ends_cell.push_back(true);
  }
  Cells cells;
  cells.lay_out(ends.size(), [&](std::size_t i) { return ends[i] / end; }, [&](std::size_t i) { return ends_cell[i]; });
  return cells;
}

/// Cells of which some are long, some have no length, and some have several rows.
Cells any_cells(int most_cells) {
  const int n = *rc::gen::inRange(1, most_cells + 1);
  std::vector<Cell> list;
  for (int i = 0; i < n; ++i) {
    const double length = *rc::gen::element(0.0, 1.0, 2.0, 5.0, 100.0) + *rc::gen::inRange(0, 1000) / 1000.0;
    list.push_back({length, static_cast<std::size_t>(*rc::gen::element(1, 1, 1, 2, 7))});
  }
  list[0].length += 1;  // not all of length zero
  return cells_of(list);
}

/// Returns the best value over all choices of borders.
double brute_force(const Cells& cells, int k) {
  double best = 0;
  Grouping grouping;
  const std::function<void(std::size_t)> extend = [&](std::size_t from) {
    grouping.first[static_cast<std::size_t>(grouping.n_groups)] = cells.size();
    best = std::max(best, value_of(cells, grouping));
    if (grouping.n_groups == k) return;
    for (std::size_t border = from + 1; border < cells.size(); ++border) {
      if (!cells.may_cut(border)) continue;
      grouping.first[static_cast<std::size_t>(grouping.n_groups)] = border;
      ++grouping.n_groups;
      extend(border);
      --grouping.n_groups;
    }
  };
  extend(0);
  return best;
}

double squared_error(const Cells& cells, const Grouping& grouping) {
  return largest_value(cells) - value_of(cells, grouping);
}

void check_is_grouping(const Cells& cells, const Grouping& grouping) {
  RC_ASSERT(grouping.first[0] == 0U);
  RC_ASSERT(grouping.first[static_cast<std::size_t>(grouping.n_groups)] == cells.size());
  for (std::size_t g = 0; g < static_cast<std::size_t>(grouping.n_groups); ++g) {
    RC_ASSERT(grouping.first[g] < grouping.first[g + 1]);
    RC_ASSERT(cells.may_cut(grouping.first[g + 1]));
  }
}

RC_GTEST_PROP(Partition, is_as_good_as_the_best_of_all_groupings, ()) {
  const Cells cells = any_cells(9);
  const int k = *rc::gen::inRange(2, 6);
  const Grouping grouping = partition_plain(cells, k);
  check_is_grouping(cells, grouping);
  const double best = brute_force(cells, k);
  RC_ASSERT(value_of(cells, grouping) <= best * (1 + 1e-12));
  RC_ASSERT(value_of(cells, grouping) >= best * (1 - 1e-5));
}

RC_GTEST_PROP(Partition, chooses_the_same_with_every_instruction_set, ()) {
  const Cells cells = any_cells(*rc::gen::element(3, 20, 200));
  const int k = *rc::gen::inRange(2, max_groups + 1);
  const Grouping plain = partition_plain(cells, k);
  for_each_target([&] { RC_ASSERT(partition(cells, k) == plain); });
}

RC_GTEST_PROP(Partition, in_one_pass_errs_by_no_more_than_a_factor_of_one_plus_epsilon, ()) {
  const Cells cells = any_cells(60);
  const int k = *rc::gen::inRange(2, 7);
  const double epsilon = *rc::gen::element(0.01, 0.1, 1.0);
  const Grouping grouping = partition_one_pass(cells, k, epsilon);
  check_is_grouping(cells, grouping);
  const double best = squared_error(cells, partition_plain(cells, k));
  RC_ASSERT(squared_error(cells, grouping) <= (1 + epsilon) * best + 1e-5 * largest_value(cells));
}

RC_GTEST_PROP(Partition, is_never_worth_more_than_the_upper_bound, ()) {
  const Cells cells = any_cells(100);
  const int k = *rc::gen::inRange(2, 7);
  const double value = value_of(cells, partition(cells, k));
  RC_ASSERT(value <= value_bound(cells, k) * (1 + 1e-9));
  RC_ASSERT(value <= largest_value(cells) * (1 + 1e-9));
}

TEST(Partition, of_even_cells_is_one_group) {
  EXPECT_EQ(partition(cells_of({{1, 1}, {1, 1}, {1, 1}, {1, 1}}), 3).n_groups, 1);
}

TEST(Partition, sets_the_one_long_cell_apart) {
  const Grouping grouping = partition(cells_of({{1, 1}, {1, 1}, {10, 1}, {1, 1}}), 3);
  ASSERT_EQ(grouping.n_groups, 3);
  EXPECT_EQ(grouping.first[1], 2U);
  EXPECT_EQ(grouping.first[2], 3U);
}

TEST(Partition, never_cuts_between_equal_values) {
  // The middle cell has four rows: borders 2, 3 and 4 lie inside it.
  const Grouping grouping = partition(cells_of({{9, 1}, {1, 4}, {9, 1}}), 5);
  EXPECT_EQ(grouping.n_groups, 3);
  EXPECT_EQ(grouping.first[1], 1U);
  EXPECT_EQ(grouping.first[2], 5U);
}

TEST(Partition, takes_the_best_two_groups_where_costs_are_not_totally_monotone) {
  const Cells cells = cells_of({{2, 1}, {1, 1}, {3, 1}, {5, 1}, {3, 1}});
  for (int k = 2; k <= 5; ++k) EXPECT_NEAR(value_of(cells, partition(cells, k)), brute_force(cells, k), 1e-6) << k;
}

TEST(Partition, of_many_cells_can_be_stopped_from_outside) {
  const Cells cells = cells_of(std::vector<Cell>(5000, {1.0, 1}));
  int breaths = 0;
  const auto stop_at_the_third = [&] {
    if (++breaths == 3) throw std::runtime_error("stop");
  };
  for_each_target([&] {
    breaths = 0;
    EXPECT_THROW(partition(cells, 3, stop_at_the_third), std::runtime_error);
  });
}

TEST(Partition, of_one_row_is_one_group) { EXPECT_EQ(partition(cells_of({{1, 1}}), 5).n_groups, 1); }

}  // namespace
}  // namespace pidforest::geometry
