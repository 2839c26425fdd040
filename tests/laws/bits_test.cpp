// SPDX-License-Identifier: Apache-2.0
// The laws of bits: their sources, and how many rows can have many of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "random_table.h"

namespace pidforest {
namespace {

/// Replaces values by ones that the fit has not seen: beyond the range, unseen levels, and missing values.
OwnedTable unseen_like(const OwnedTable& owned) {
  OwnedTable other{owned.sorts, {}};
  for (std::size_t i = 0; i < std::min<std::size_t>(owned.n_rows(), 40) * owned.n_columns(); ++i) {
    const double x = other_value(owned.sorts[i % owned.n_columns()], owned.values[i]);
    other.values.push_back(*rc::gen::inRange(0, 8) == 0 ? std::numeric_limits<double>::quiet_NaN() : x);
  }
  return other;
}

// Law 11
RC_GTEST_PROP(Law11, the_bits_of_the_columns_add_up_to_the_mean_bits_of_the_row, ()) {
  const OwnedTable owned = any_table();
  Options options = any_options();
  const Model model = owned.fit(options);
  options.aggregate = Aggregate::mean;
  const Model by_mean = owned.fit(options);
  for (const OwnedTable& table : {owned, unseen_like(owned)}) {
    const auto bits = model.column_bits(table.table());
    const auto scores = by_mean.score(table.table());
    RC_ASSERT(bits.size() == table.values.size());
    for (std::size_t row = 0; row < scores.size(); ++row) {
      const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(row * table.n_columns());
      const auto end = begin + static_cast<std::ptrdiff_t>(table.n_columns());
      const double size = std::accumulate(begin, end, 1.0, [](double sum, double x) { return sum + std::abs(x); });
      RC_ASSERT(std::abs(std::accumulate(begin, end, 0.0) - scores[row]) <= 1e-9 * size);
    }
    RC_ASSERT(model.column_bits(table.table(), {.threads = 7}) == bits);
  }
}

TEST(Law11, columns_that_say_nothing_have_no_bits_and_the_one_that_does_has_them) {
  OwnedTable owned = random_table({ColumnSort::even, ColumnSort::normal, ColumnSort::constant}, 2000, 1);
  owned.at(7, 1) = 12;
  const auto bits = owned.fit({}).column_bits(owned.table().rows(7, 8));
  EXPECT_NEAR(bits[0], 0, 0.5);
  EXPECT_GT(bits[1], 4);
  EXPECT_EQ(bits[2], 0);
}

TEST(Law11, a_row_beyond_the_range_owes_it_to_the_column_that_is) {
  const OwnedTable owned = random_table({ColumnSort::even, ColumnSort::even, ColumnSort::constant}, 2000, 1);
  const Model model = owned.fit({});
  const auto beyond = model.column_bits(Table::row_major(std::vector<double>{0, 100, 5}, 3));
  EXPECT_NEAR(beyond[0], 0, 0.1);
  EXPECT_GT(beyond[1], 5);
  EXPECT_EQ(beyond[2], 0);
  EXPECT_NEAR(model.column_bits(Table::row_major(std::vector<double>{0, 0, 6}, 3))[2], std::log2(1e12), 1e-9);
}

TEST(Law11, a_time_has_the_bits_of_all_that_is_derived_from_it_and_an_ignored_column_none) {
  const OwnedTable owned = random_table({ColumnSort::normal, ColumnSort::time, ColumnSort::normal}, 1000, 1);
  Schema schema = owned.schema();
  schema.columns[0].kind = Kind::ignored;
  const Model model = Model::fit(owned.table(), schema);
  ASSERT_GT(model.schema().columns[1].derive.size(), 1);
  const auto bits = model.column_bits(owned.table());
  const auto scores = model.score(owned.table());
  for (std::size_t row = 0; row < 1000; ++row) {
    EXPECT_EQ(bits[row * 3], 0);
    EXPECT_NEAR(bits[row * 3 + 1] + bits[row * 3 + 2], scores[row], 1e-9);
  }
}

// Law 13
RC_GTEST_PROP(Law13, at_most_one_in_two_to_the_b_fitted_rows_has_more_than_b_mean_bits, ()) {
  const OwnedTable owned = any_table();
  Options options = any_options();
  options.aggregate = Aggregate::mean;
  options.count_rows = Options::all_rows;
  auto scores = owned.fit(options).score(owned.table());
  std::sort(scores.begin(), scores.end(), std::greater<>());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(scores.size());
    RC_ASSERT(scores[i] <= -std::log2(share) + 1e-9);
  }
}

}  // namespace
}  // namespace pidforest
