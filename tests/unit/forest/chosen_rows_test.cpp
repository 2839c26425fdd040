// SPDX-License-Identifier: Apache-2.0
#include "forest/chosen_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>

#include "pidforest/error.h"

namespace pidforest::forest {
namespace {

TEST(ThresholdSample, is_all_rows_or_a_sample_of_the_seed_without_repeats) {
  std::vector<std::size_t> all(65536);
  std::iota(all.begin(), all.end(), std::size_t{0});
  EXPECT_EQ(threshold_sample(65536, {}), all);
  const auto some = threshold_sample(1000000, {});
  EXPECT_EQ(some.size(), 65536);
  EXPECT_LT(some.back(), 1000000);
  EXPECT_TRUE(std::adjacent_find(some.begin(), some.end(), std::greater_equal<>()) == some.end());
  EXPECT_EQ(some, threshold_sample(1000000, {}));
  EXPECT_NE(some, threshold_sample(1000000, {.seed = 1}));
}

TEST(RowsToDraw, have_the_samples_of_all_trees_and_no_others) {
  constexpr std::size_t n = 1000000;
  const auto drawn = rows_to_draw(n, {});
  EXPECT_TRUE(std::ranges::includes(drawn, tree_sample(n, {}, 0)));
  EXPECT_TRUE(std::ranges::includes(drawn, tree_sample(n, {}, 99)));
  EXPECT_LE(drawn.size(), 25600);
}

TEST(RowsToDraw, drawing_for_many_trees_can_be_cancelled) {
  const std::atomic<bool> cancelled = true;
  EXPECT_THROW(rows_to_draw(1'000'000, {.n_estimators = 1'000'000}, {.cancel = &cancelled}), Cancelled);
}

TEST(RowsToDraw, drawing_ends_when_all_rows_are_drawn) {
  EXPECT_EQ(rows_to_draw(1000, {.n_estimators = 1'000'000}).size(), 1000);
}

TEST(CopiedRows, have_the_values_of_the_chosen_rows) {
  constexpr std::size_t n_columns = 11;
  std::vector<double> values(n_columns * 50);
  std::iota(values.begin(), values.end(), 0.0);
  Rows rows{.n = 50, .columns = {}};
  for (std::size_t axis = 0; axis < n_columns; ++axis) rows.columns.push_back({values.data() + axis, n_columns});
  const std::vector<std::size_t> chosen = {3, 4, 17, 49};
  const CopiedRows copied(rows, chosen);
  EXPECT_EQ(copied.rows().n, chosen.size());
  for (std::size_t axis = 0; axis < n_columns; ++axis)
    for (std::size_t i = 0; i < chosen.size(); ++i)
      EXPECT_EQ(copied.rows().columns[axis][i], rows.columns[axis][chosen[i]]);
}

}  // namespace
}  // namespace pidforest::forest
