// SPDX-License-Identifier: Apache-2.0
#include "pidforest/table.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "pidforest/explain.h"

namespace pidforest {
namespace {

TEST(Table, is_its_own_only_batch) {
  const std::vector<double> values = {1, 2, 3, 4};
  const Table table = Table::row_major(values, 2, {"a", "b"});
  const Batches& batches = table;
  EXPECT_EQ(batches.in_memory(), &table);
  EXPECT_EQ(batches.header().n_rows(), 0U);
  EXPECT_EQ(batches.header().columns()[1].name, "b");
  std::vector<const Table*> visited;
  batches.for_each([&](const Table& batch) { visited.push_back(&batch); });
  EXPECT_EQ(visited, std::vector<const Table*>{&table});
  batches.for_each_part(1, [](const Column& part, std::size_t n_rows) {
    EXPECT_EQ(n_rows, 2U);
    EXPECT_EQ(part.number(1), 4);
  });
}

template <class Rows>
constexpr bool is_kept_by_an_explainer = std::is_constructible_v<Explainer, const Model&, Rows>;
template <class Rows>
constexpr bool is_repeated = std::is_constructible_v<RepeatedBatches, Rows, std::span<const std::uint64_t>>;

TEST(Table, that_is_temporary_cannot_be_kept) {
  EXPECT_TRUE((is_kept_by_an_explainer<const Table&> && is_kept_by_an_explainer<TableStore&>));
  EXPECT_FALSE((is_kept_by_an_explainer<Table> || is_kept_by_an_explainer<TableStore>));
  EXPECT_TRUE(is_repeated<const Table&>);
  EXPECT_FALSE((is_repeated<Table> || is_repeated<TableStore>));
}

}  // namespace
}  // namespace pidforest
