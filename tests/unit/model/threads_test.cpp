// SPDX-License-Identifier: Apache-2.0
// One model used by many threads at once: it never changes. The thread sanitizer (preset tsan) checks this.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "pidforest/explain.h"
#include "pidforest/model.h"
#include "random_table.h"

namespace pidforest {
namespace {

TEST(Threads, sixteen_of_them_may_use_one_model) {
  const OwnedTable owned =
      random_table({ColumnSort::normal, ColumnSort::category, ColumnSort::time, ColumnSort::heavy_tailed}, 3000, 1);
  const Table table = owned.table();
  const Model model = Model::fit(table);
  const std::vector<double> expected = model.score(table);
  std::vector<int> is_same(16);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < is_same.size(); ++i)
      threads.emplace_back([&, i] {
        is_same[i] = static_cast<int>(model.score(table, {.threads = 2}) == expected);
        const Explanations reasons = Explainer(model, table).explain(table.rows(0, 10), {.threads = 2});
        if (reasons.witness_of.size() != 10) is_same[i] = 0;
        if (!(Model::from_bytes(model.to_bytes()) == model)) is_same[i] = 0;
      });
  }
  EXPECT_EQ(is_same, std::vector<int>(16, 1));
}

}  // namespace
}  // namespace pidforest
