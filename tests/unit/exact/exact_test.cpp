// SPDX-License-Identifier: Apache-2.0
#include "pidforest/exact.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "all_cubes.h"
#include "exact/search.h"
#include "pidforest/error.h"
#include "random_table.h"

namespace pidforest::exact {
namespace {

constexpr std::uint64_t without_end = ~std::uint64_t{0};

RC_GTEST_PROP(ExactScores, AreThoseOfTheSparsestOfAllCubes, ()) {
  const TinyTable tiny = any_tiny_table(3, 9);
  const IntervalEnds ends = *rc::gen::element(IntervalEnds::any, IntervalEnds::halfway);
  const AllCubes all(tiny.table(), tiny.schema(), ends);
  const auto scores = exact_scores(tiny.table(), tiny.schema(), {}, {.ends = ends}, {.threads = 1}).rows;
  for (std::size_t row = 0; row < tiny.n_rows(); ++row) {
    RC_ASSERT(scores[row].is_optimal);
    RC_ASSERT(std::abs(scores[row].bits - all.most_bits(row)) < tolerance);
  }
}

RC_GTEST_PROP(ExactScores, AreOfCubesThatHoldTheRowAndAsManyAsTheySay, ()) {
  const TinyTable tiny = any_tiny_table(5, 20);
  const AllCubes all(tiny.table(), tiny.schema(), *rc::gen::element(IntervalEnds::any, IntervalEnds::halfway));
  const CellTable cells = all.cells();
  const std::unique_ptr<RowSearch> search = make_general_search(cells);
  for (std::size_t row = 0; row < all.n_rows(); ++row) {
    const FoundCube found = search->best_cube(cells.combination_of(row), {.steps = without_end});
    RC_ASSERT(all.holds(found.cube, row));
    std::uint64_t n_inside = 0;
    for (std::size_t one = 0; one < all.n_rows(); ++one) n_inside += all.holds(found.cube, one) ? 1 : 0;
    RC_ASSERT(found.n_inside == n_inside);
    const double log2_volume = geometry::log2_volume(found.cube, all.roots());
    RC_ASSERT(std::abs(found.bits - geometry::bits_of(log2_volume, n_inside, all.n_rows())) < tolerance);
  }
}

RC_GTEST_PROP(ExactScores, AreOfCubesThatAPlainFilterCounts, ()) {
  const TinyTable tiny = any_tiny_table(4, 20);
  const ExactScores scores = exact_scores(tiny.table(), tiny.schema(), {});
  for (std::size_t row = 0; row < tiny.n_rows(); ++row) {
    const Witness& cube = scores.rows[row].cube;
    const std::vector<bool> matches = RowFilter(scores.schema, cube.conditions).matches(tiny.table());
    RC_ASSERT(matches[row]);
    RC_ASSERT(cube.n_inside == static_cast<std::uint64_t>(std::ranges::count(matches, true)));
    RC_ASSERT(std::abs(scores.rows[row].bits - cube.bits) < tolerance);
  }
}

RC_GTEST_PROP(ExactScores, LieBetweenTheirBoundsHoweverEarlyTheSearchEnds, ()) {
  const TinyTable tiny = any_tiny_table(4, 30);
  const AllCubes all(tiny.table(), tiny.schema(), IntervalEnds::any);
  const CellTable cells = all.cells();
  const std::unique_ptr<RowSearch> search = make_general_search(cells);
  const std::uint32_t target = cells.combination_of(0);
  const double most = search->best_cube(target, {.steps = without_end}).bits;
  for (std::uint64_t steps = 1; steps < 1'000'000; steps *= 3) {
    const FoundCube found = search->best_cube(target, {.steps = steps});
    RC_ASSERT(found.bits <= most + tolerance);
    RC_ASSERT(found.upper_bound >= most - tolerance);
  }
  RC_ASSERT(search->best_cube(target, {.steps = without_end, .is_over = [] { return true; }}).upper_bound >=
            most - tolerance);
}

RC_GTEST_PROP(ExactScores, OfTheTopRowsAreThoseThatAllRowsHave, ()) {
  const TinyTable tiny = any_tiny_table(4, 30);
  const std::size_t top = *rc::gen::inRange<std::size_t>(1, 6);
  const auto bits_of_top = [&](const ExactOptions& options) {
    std::vector<double> bits;
    for (const ExactScore& one : exact_scores(tiny.table(), tiny.schema(), {}, options).rows)
      bits.push_back(one.is_optimal ? one.bits : -1);
    std::ranges::sort(bits, std::greater());
    bits.resize(std::min(bits.size(), top));
    return bits;
  };
  RC_ASSERT(bits_of_top({.top = top}) == bits_of_top({}));
}

RC_GTEST_PROP(ExactScores, DoNotChangeWithTheNumberOfThreads, ()) {
  const TinyTable tiny = any_tiny_table(4, 30);
  const auto one = exact_scores(tiny.table(), tiny.schema(), {}, {}, {.threads = 1}).rows;
  const auto four = exact_scores(tiny.table(), tiny.schema(), {}, {}, {.threads = 4}).rows;
  for (std::size_t row = 0; row < one.size(); ++row) {
    RC_ASSERT(one[row].bits == four[row].bits);
    RC_ASSERT(one[row].cube == four[row].cube);
  }
}

RC_GTEST_PROP(ExactScores, AreAtLeastThoseOfHalfwayEndsWhereEndsAreAny, ()) {
  const TinyTable tiny = any_tiny_table(3, 20);
  const auto any = exact_scores(tiny.table(), tiny.schema(), {}).rows;
  const auto halfway = exact_scores(tiny.table(), tiny.schema(), {}, {.ends = IntervalEnds::halfway}).rows;
  for (std::size_t row = 0; row < any.size(); ++row) RC_ASSERT(any[row].bits >= halfway[row].bits - tolerance);
}

RC_GTEST_PROP(ExactScores, OfBooleansAreTheSameByBothSearches, ()) {
  const auto n_columns = *rc::gen::inRange<std::size_t>(1, 12);
  const auto n_rows = *rc::gen::inRange<std::size_t>(1, 200);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const OwnedTable table = random_table(std::vector<ColumnSort>(n_columns, ColumnSort::boolean), n_rows, seed);
  const AllCubes all(table.table(), table.schema(), IntervalEnds::any);
  const CellTable cells = all.cells();
  RC_ASSERT(is_boolean(cells));
  const std::unique_ptr<RowSearch> search = make_general_search(cells);
  const std::unique_ptr<RowSearch> boolean = make_boolean_search(cells);
  const std::uint32_t target = cells.combination_of(0);
  const FoundCube by_sets = boolean->best_cube(target, {.steps = without_end});
  RC_ASSERT(by_sets.is_optimal());
  RC_ASSERT(all.holds(by_sets.cube, 0));
  RC_ASSERT(std::abs(by_sets.bits - search->best_cube(target, {.steps = without_end}).bits) < tolerance);
  for (std::uint64_t steps = 1; steps < 100'000; steps *= 3) {
    const FoundCube early = boolean->best_cube(target, {.steps = steps});
    RC_ASSERT(early.bits <= by_sets.bits + tolerance);
    RC_ASSERT(early.upper_bound >= by_sets.bits - tolerance);
  }
}

/// A table that takes a while: normal numbers, for which rows in the middle are hard.
OwnedTable large_table() { return random_table(std::vector<ColumnSort>(6, ColumnSort::normal), 400, 1); }

TEST(ExactScores, OfARowThatTakesTooLongAreRefusedWithWhatIsKnown) {
  const OwnedTable large = large_table();
  try {
    (void)exact_scores(large.table(), large.schema(), std::vector<std::size_t>{3, 5}, {.max_steps = 10'000});
    FAIL() << "not refused";
  } catch (const InvalidInput& error) {
    for (const char* words : {"400 rows on 6 axes", "row 4 lies in about 10^", "10000 steps", "2 of 2 rows", "seconds"})
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(ExactScores, OfAllRowsOfALargeTableAreRefusedAtOnce) {
  const OwnedTable huge = random_table({ColumnSort::normal}, 300'000, 1);
  try {
    (void)exact_scores(huge.table(), huge.schema(), {});
    FAIL() << "not refused";
  } catch (const InvalidInput& error) {
    for (const char* words : {"300000 rows on 1 axes", "2e+11 steps", "1e+11", "at most 166666 rows", "about 223606"})
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(ExactScores, OfATableWhoseRowsAreAllAlikeAreNothing) {
  const TinyTable tiny{.sorts = {TinySort::number, TinySort::category}, .values = {1, 2, 1, 2, 1, 2}};
  const auto scores = exact_scores(tiny.table(), tiny.schema(), {}).rows;
  for (const ExactScore& score : scores) {
    EXPECT_TRUE(score.is_optimal);
    EXPECT_EQ(score.bits, 0);
    EXPECT_TRUE(score.cube.conditions.empty());
  }
}

TEST(ExactScores, OfARowThatGetsNoTimeAreThoseOfTheWholeTable) {
  const OwnedTable large = large_table();
  const auto score =
      exact_scores(large.table(), large.schema(), std::vector<std::size_t>{3}, {.seconds = 1e-12}).rows[0];
  EXPECT_EQ(score.bits, 0);
  EXPECT_FALSE(score.is_optimal);
  EXPECT_TRUE(score.cube.conditions.empty());
  EXPECT_EQ(score.cube.n_inside, 400);
  EXPECT_NEAR(score.upper_bound, std::log2(400), 1e-9);
}

TEST(ExactScores, CanBeCancelled) {
  const OwnedTable large = large_table();
  const std::atomic<bool> cancel = true;
  EXPECT_THROW((void)exact_scores(large.table(), large.schema(), {}, {}, {.cancel = &cancel}), Cancelled);
}

TEST(ExactScores, AreRefusedForRowsThatAreNotThereAndTimesThatCannotBe) {
  const TinyTable tiny{.sorts = {TinySort::number}, .values = {1, 2, 3}};
  EXPECT_THROW((void)exact_scores(tiny.table(), tiny.schema(), std::vector<std::size_t>{3}), InvalidInput);
  EXPECT_THROW((void)exact_scores(tiny.table(), tiny.schema(), {}, {.seconds = 0}), InvalidOption);
  EXPECT_THROW((void)exact_scores(tiny.table(), tiny.schema(), {}, {.top = 0}), InvalidOption);
  EXPECT_THROW((void)exact_scores(Table(0, tiny.table().columns()), tiny.schema()), InvalidInput);
}

TEST(ExactScores, SayTheCubeInTheColumnsOfTheUser) {
  const TinyTable tiny{.sorts = {TinySort::number, TinySort::boolean}, .values = {0, 0, 1, 0, 2, 1, 9, 0}};
  const ExactScores scores = exact_scores(tiny.table(), tiny.schema(), std::vector<std::size_t>{3});
  EXPECT_EQ(to_words(scores.rows[0].cube.conditions, scores.schema), "x0 > 2");
  EXPECT_NEAR(scores.rows[0].bits, std::log2(4 * 7.0 / 9), 1e-9);
}

}  // namespace
}  // namespace pidforest::exact
