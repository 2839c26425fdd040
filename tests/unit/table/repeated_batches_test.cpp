// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "pidforest/table.h"
#include "unit/table/column_table.h"
#include "unit/table/complaint.h"
#include "unit/table/shown_rows.h"

namespace pidforest {
namespace {

using Shown = std::vector<std::string>;
using Weights = std::vector<std::uint64_t>;

TEST(repeated_batches, rows_come_as_often_as_they_weigh) {
  const ColumnTable owned = ColumnTable()
                                .numbers("n", {1, 2, nan, 4})
                                .texts("t", {"a", std::nullopt, "", "d"})
                                .times("c", {7, Column::missing_time, 8, 9})
                                .booleans("b", {0, 1, nan, 1});
  TableStore store({.batch_rows = 3});
  store.append(owned.table().rows(0, 3));
  store.append(owned.table().rows(3, 4));
  const Weights weights{2, 0, 1, 2};
  const RepeatedBatches repeated(store, weights);
  EXPECT_EQ(repeated.n_rows(), 5U);
  EXPECT_EQ(repeated.header().n_columns(), 4U);
  EXPECT_EQ(shown(repeated), (Shown{"0 n: numbers 1, 0 t: 'a', 0 c: time 7, 0 b: booleans 0",
                                    "1 n: numbers 1, 1 t: 'a', 1 c: time 7, 1 b: booleans 0",
                                    "2 n: numbers nan, 2 t: '', 2 c: time 8, 2 b: booleans nan",
                                    "3 n: numbers 4, 3 t: 'd', 3 c: time 9, 3 b: booleans 1",
                                    "4 n: numbers 4, 4 t: 'd', 4 c: time 9, 4 b: booleans 1"}));
  EXPECT_EQ(shown_parts(repeated, 1), (Shown{"0 t: 'a'", "1 t: 'a'", "2 t: ''", "3 t: 'd'", "4 t: 'd'"}));
}

TEST(repeated_batches, a_batch_has_65536_rows_at_most) {
  const ColumnTable owned = ColumnTable().numbers("x", {1, 2});
  const Table values = owned.table();
  const Weights weights{100'000, 31'072};
  std::vector<std::size_t> sizes;
  double sum = 0;
  RepeatedBatches(values, weights).for_each([&](const Table& batch) {
    sizes.push_back(batch.n_rows());
    for (std::size_t i = 0; i < batch.n_rows(); ++i) sum += batch.columns().front().number(i);
  });
  EXPECT_EQ(sizes, (std::vector<std::size_t>{65'536, 65'536}));
  EXPECT_EQ(sum, 100'000 + 2 * 31'072);
}

TEST(repeated_batches, weights_must_be_one_per_row_and_not_too_many_rows) {
  const ColumnTable owned = ColumnTable().numbers("x", {1, 2});
  const Table values = owned.table();
  const auto complaint_of_weights = [&](const Weights& weights) {
    return complaint([&] { (void)RepeatedBatches(values, weights); });
  };
  EXPECT_EQ(complaint_of_weights({1}), "there must be 2 weights, one per row; got 1.");
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  EXPECT_EQ(complaint_of_weights({most - 1, 1}), "no complaint");
  EXPECT_EQ(complaint_of_weights({most, 1}), "the sum of all weights must be at most 2^40; it is more.");
  EXPECT_EQ(complaint_of_weights({1, ~std::uint64_t{0}}), "the sum of all weights must be at most 2^40; it is more.");
}

}  // namespace
}  // namespace pidforest
